package io.github.tandemstreams.benchmarks.latency;

import static io.github.tandemstreams.benchmarks.contenders.Contenders.COPY_LOOP_1;

import io.github.tandemstreams.benchmarks.report.JsonFile;
import io.github.tandemstreams.benchmarks.report.Machine;
import io.github.tandemstreams.benchmarks.report.Medians;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** Medians of the rounds, and their ratio to the loop of one thread that is written by hand. */
final class LatencyReport {

    private static final String LINE = "%9s %-26s %10s %10s %10s %14s %14s%n";

    private final Machine machine;
    private final double commitAlone;
    private final List<LatencyResult> results = new ArrayList<>();

    LatencyReport(Machine machine, double commitAlone) {
        this.machine = machine;
        this.commitAlone = commitAlone;
        System.out.println(machine);
        System.out.printf("insert and commit of one row alone: %.2f ms%n", commitAlone);
    }

    void add(LatencyResult result) {
        results.add(result);
        System.out.println(
                result.counts()
                        ? "%,d/s, round %d: %s p50 %.1f ms, p99 %.1f ms, longest %.1f ms"
                                .formatted(
                                        result.rate(),
                                        result.round(),
                                        result.contender(),
                                        result.p50(),
                                        result.p99(),
                                        result.max())
                        : "%,d/s, round %d: %s doesn't count: %s"
                                .formatted(result.rate(), result.round(), result.contender(), result.failure()));
    }

    boolean finish(Path directory) {
        System.out.println();
        System.out.printf(
                LINE, "records/s", "contender", "p50, ms", "p99, ms", "longest", "p50 / loop-1", "p99 / loop-1");
        for (int rate :
                results.stream().mapToInt(LatencyResult::rate).distinct().toArray()) {
            for (String contender :
                    results.stream().map(LatencyResult::contender).distinct().toList()) {
                System.out.printf(
                        LINE,
                        "%,d".formatted(rate),
                        contender,
                        millis(median(rate, contender, LatencyResult::p50)),
                        millis(median(rate, contender, LatencyResult::p99)),
                        millis(median(rate, contender, LatencyResult::max)),
                        ratio(rate, contender, LatencyResult::p50),
                        ratio(rate, contender, LatencyResult::p99));
            }
        }
        JsonFile.write(
                directory.resolve("latency.json"),
                Map.of("machine", machine, "commitAloneMillis", commitAlone, "runs", results));
        System.out.println("in " + directory + ": latency.json and the logs");
        return results.stream().allMatch(LatencyResult::counts);
    }

    private OptionalDouble median(int rate, String contender, ToDoubleFunction<LatencyResult> value) {
        return Medians.median(results.stream()
                .filter(each ->
                        each.counts() && each.rate() == rate && each.contender().equals(contender))
                .mapToDouble(value)
                .toArray());
    }

    private String ratio(int rate, String contender, ToDoubleFunction<LatencyResult> value) {
        OptionalDouble its = median(rate, contender, value);
        OptionalDouble loop = median(rate, COPY_LOOP_1, value);
        return its.isPresent() && loop.isPresent() ? "%.2f".formatted(its.getAsDouble() / loop.getAsDouble()) : "-";
    }

    private static String millis(OptionalDouble value) {
        return value.isPresent() ? "%.1f".formatted(value.getAsDouble()) : "-";
    }
}
