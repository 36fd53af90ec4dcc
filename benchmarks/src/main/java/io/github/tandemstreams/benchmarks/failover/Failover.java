package io.github.tandemstreams.benchmarks.failover;

import io.github.tandemstreams.benchmarks.Benchmark;
import io.github.tandemstreams.benchmarks.Options;
import io.github.tandemstreams.benchmarks.contenders.Contender;
import io.github.tandemstreams.benchmarks.contenders.Contenders;
import io.github.tandemstreams.benchmarks.report.Figures;
import io.github.tandemstreams.benchmarks.report.Machine;
import io.github.tandemstreams.benchmarks.servers.Servers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Two instances share the partitions, and one of them ends: in order, or killed. From the signal to the next commit of its
 * partitions by the other.
 */
public final class Failover implements Benchmark {

    private static final int ROUNDS = 3;

    private static final Set<String> EXACTLY_ONCE = Set.of(Contenders.TANDEM);
    private static final Set<String> AT_LEAST_ONCE = Set.of(Contenders.SPRING_KAFKA);

    @Override
    public String name() {
        return "failover";
    }

    @Override
    public boolean run(Options options) throws Exception {
        List<Contender> contenders = Contenders.built(
                each -> (EXACTLY_ONCE.contains(each) || AT_LEAST_ONCE.contains(each)) && options.wantsContender(each));
        Path directory = Files.createDirectories(options.directory());
        try (Servers servers = Servers.start(directory)) {
            Figures figures = new Figures(name(), Machine.here(servers.postgres()), FailoverRun.FIGURES);
            System.out.printf("session time-out of the consumers: %,d ms%n", FailoverRun.SESSION_TIMEOUT_MILLIS);
            FailoverRun run = new FailoverRun(servers, directory);
            for (int round = 1; round <= options.rounds(ROUNDS); round++) {
                for (Contender contender : contenders) {
                    for (Signal signal : Signal.values()) {
                        measure(run, contender, signal, round, figures);
                    }
                }
            }
            return figures.finish(directory);
        }
    }

    private static void measure(FailoverRun run, Contender contender, Signal signal, int round, Figures figures)
            throws Exception {
        String label = contender.name() + " " + signal;
        try {
            TakeOver seen = run.of(contender, signal, round);
            if (seen.missing() != 0 && EXACTLY_ONCE.contains(contender.name())) {
                figures.addFailed(label, round, seen.missing() + " of the rows are missing");
            } else {
                figures.add(label, round, seen.figures());
            }
        } catch (IllegalStateException failure) {
            figures.addFailed(label, round, Objects.requireNonNull(failure.getMessage()));
        }
    }
}
