package io.github.tandemstreams.benchmarks;

import io.github.tandemstreams.benchmarks.failover.Failover;
import io.github.tandemstreams.benchmarks.growth.Growth;
import io.github.tandemstreams.benchmarks.idle.Idle;
import io.github.tandemstreams.benchmarks.jmh.Jmh;
import io.github.tandemstreams.benchmarks.lanes.Lanes;
import io.github.tandemstreams.benchmarks.latency.Latency;
import io.github.tandemstreams.benchmarks.poison.Poison;
import io.github.tandemstreams.benchmarks.shape.Shape;
import io.github.tandemstreams.benchmarks.startup.Startup;
import io.github.tandemstreams.benchmarks.throughput.Throughput;
import java.util.List;

/** Runs all benchmarks, or one. */
public final class Benchmarks {

    private static final List<Benchmark> ALL = List.of(
            new Throughput(),
            new Latency(),
            new Startup(),
            new Idle(),
            new Lanes(),
            new Failover(),
            new Growth(),
            new Shape(),
            new Jmh(),
            new Poison());

    private Benchmarks() {}

    /** Ends with 0 if all figures count. */
    public static void main(String[] args) throws Exception {
        Options options;
        List<Benchmark> chosen;
        try {
            options = Options.parse(args);
            chosen = ALL.stream().filter(each -> options.runs(each.name())).toList();
        } catch (IllegalArgumentException mistake) {
            System.err.println(mistake.getMessage());
            System.exit(2);
            return;
        }
        if (chosen.isEmpty()) {
            System.err.println("no benchmark '" + options.only() + "': "
                    + ALL.stream().map(Benchmark::name).toList());
            System.exit(2);
        }
        boolean counts = true;
        for (Benchmark benchmark : chosen) {
            System.out.println("== " + benchmark.name());
            counts &= benchmark.run(options);
        }
        System.exit(counts ? 0 : 1);
    }
}
