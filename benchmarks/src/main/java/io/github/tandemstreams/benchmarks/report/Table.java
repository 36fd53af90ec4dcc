package io.github.tandemstreams.benchmarks.report;

import static io.github.tandemstreams.benchmarks.contenders.Contenders.SPRING_KAFKA_TUNED;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Medians and ratios, one line for each contender at each workload. */
final class Table {

    private static final String LINE = "%-9s %-20s %12s %22s %12s %14s %14s %13s  %s%n";

    private Table() {}

    static String of(List<Run> runs) {
        StringBuilder table = new StringBuilder(LINE.formatted(
                "workload",
                "contender",
                "records/s",
                "lowest to highest",
                "/ copy loop",
                "/ tuned spring",
                "2nd half, r/s",
                "with start, s",
                ""));
        for (String workload : runs.stream().map(Run::workload).distinct().toList()) {
            Medians medians = new Medians(runs, workload);
            for (String contender : medians.contenders()) {
                table.append(line(workload, contender, medians));
            }
        }
        runs.stream()
                .filter(run -> !run.counts())
                .forEach(run -> table.append("%-9s %-20s round %d doesn't count: %s%n"
                        .formatted(run.workload(), run.contender(), run.round(), run.failure())));
        return table.toString();
    }

    private static String line(String workload, String contender, Medians medians) {
        List<Run> runs = medians.runs(contender);
        OptionalDouble rate = medians.perSecond(contender);
        DoubleSummaryStatistics spread =
                runs.stream().mapToDouble(Run::perSecond).summaryStatistics();
        String figures = runs.get(0).said().figures().keySet().stream()
                .map(name -> "%s %,.0f"
                        .formatted(name, medians.figure(contender, name).orElseThrow()))
                .collect(Collectors.joining(", "));
        return LINE.formatted(
                workload,
                contender,
                perSecond(rate),
                "%,.0f to %,.0f".formatted(spread.getMin(), spread.getMax()),
                ratio(rate, Ratio.fasterCopyLoop(medians)),
                ratio(rate, medians.perSecond(SPRING_KAFKA_TUNED)),
                perSecond(medians.median(contender, Run::secondHalf)),
                "%.1f".formatted(medians.median(contender, Run::wholeSeconds).orElseThrow()),
                figures);
    }

    private static String perSecond(OptionalDouble rate) {
        return rate.isPresent() ? "%,.0f".formatted(rate.getAsDouble()) : "-";
    }

    private static String ratio(OptionalDouble one, OptionalDouble other) {
        return one.isPresent() && other.isPresent() ? "%.2f".formatted(one.getAsDouble() / other.getAsDouble()) : "-";
    }
}
