package io.github.tandemstreams.benchmarks.report;

import io.github.tandemstreams.benchmarks.workloads.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects the runs of a benchmark, tells each as it ends, and in the end what they amount to. */
public final class Report {

    private final String benchmark;
    private final long records;
    private final Machine machine;
    private final List<Run> runs = new ArrayList<>();
    private final Set<String> introduced = new HashSet<>();

    public Report(String benchmark, long records, Machine machine) {
        this.benchmark = benchmark;
        this.records = records;
        this.machine = machine;
        System.out.println(machine);
    }

    /** Prints it, with the contender's configuration where it is met for the first time. */
    public void add(Run run) {
        if (run.counts() && introduced.add(run.contender())) {
            System.out.println("  " + run.contender() + ":");
            run.said().configuration().forEach((name, value) -> System.out.println("    " + name + " = " + value));
        }
        runs.add(run);
        System.out.println(
                run.counts()
                        ? "%s, round %d: %s %,.0f/s (%.1f s, %.1f s with its start)"
                                .formatted(
                                        run.workload(),
                                        run.round(),
                                        run.contender(),
                                        run.perSecond(),
                                        run.busySeconds(),
                                        run.wholeSeconds())
                        : "%s, round %d: %s doesn't count: %s"
                                .formatted(run.workload(), run.round(), run.contender(), run.failure()));
    }

    /**
     * Prints the table and the ratios, and writes them as JSON and as a chart.
     *
     * @return whether all runs count
     */
    public boolean finish(Path directory) throws IOException {
        Medians orders = new Medians(runs, Workload.ORDERS.label());
        List<Ratio> ratios = Ratio.of(orders);
        List<Ratio> ofSecondHalf = Ratio.of(new Medians(runs, Workload.ORDERS.label(), Run::secondHalf));
        boolean isVoid = Ratio.isVoid(orders);
        System.out.println();
        System.out.print(Table.of(runs));
        System.out.println();
        print("orders", ratios);
        print("their second half", ofSecondHalf);
        if (isVoid) {
            System.out.println("VOID: the tuned listener was weakened by something. None of these figures count.");
        }
        write(directory, ratios, ofSecondHalf, isVoid);
        return !isVoid && runs.stream().allMatch(Run::counts);
    }

    private static void print(String of, List<Ratio> ratios) {
        for (Ratio ratio : ratios) {
            System.out.printf(
                    "%s: %-42s %.2f (at least %.2f: %s)%n",
                    of, ratio.what(), ratio.value(), ratio.atLeast(), ratio.isReached() ? "reached" : "missed");
        }
    }

    private void write(Path directory, List<Ratio> ratios, List<Ratio> ofSecondHalf, boolean isVoid)
            throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("benchmark", benchmark);
        all.put("machine", machine);
        all.put("records", records);
        all.put("void", isVoid);
        all.put("ratios", ratios);
        all.put("ratiosOfSecondHalf", ofSecondHalf);
        all.put("runs", runs);
        JsonFile.write(directory.resolve(benchmark + ".json"), all);
        Chart.write(runs, benchmark + " of %,d records".formatted(records), directory.resolve(benchmark));
        System.out.println("in " + directory + ": " + benchmark + ".json, " + benchmark + ".svg and the logs");
    }
}
