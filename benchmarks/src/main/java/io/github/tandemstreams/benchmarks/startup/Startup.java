package io.github.tandemstreams.benchmarks.startup;

import io.github.tandemstreams.benchmarks.Benchmark;
import io.github.tandemstreams.benchmarks.Options;
import io.github.tandemstreams.benchmarks.contenders.Contender;
import io.github.tandemstreams.benchmarks.contenders.ContenderProcess;
import io.github.tandemstreams.benchmarks.contenders.Contenders;
import io.github.tandemstreams.benchmarks.contenders.LiveRun;
import io.github.tandemstreams.benchmarks.report.Figures;
import io.github.tandemstreams.benchmarks.report.Machine;
import io.github.tandemstreams.benchmarks.servers.Servers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * From the start of a JVM to its first commit, of a record that waits for it: once where nothing is there yet, so that
 * tables are created, and once more when all of it is. Without the one that is to be watched: it would end before anybody looks.
 */
public final class Startup implements Benchmark {

    private static final int ROUNDS = 5;

    @Override
    public String name() {
        return "startup";
    }

    @Override
    public boolean run(Options options) throws Exception {
        List<Contender> contenders =
                Contenders.built(each -> !each.equals(Contenders.TANDEM_WATCHED) && options.wantsContender(each));
        Path directory = Files.createDirectories(options.directory());
        try (Servers servers = Servers.start(directory)) {
            Figures figures =
                    new Figures(name(), Machine.here(servers.postgres()), List.of("first time, s", "again, s"));
            for (int round = 1; round <= options.rounds(ROUNDS); round++) {
                for (Contender contender : contenders) {
                    measure(servers, contender, round, directory, figures);
                }
            }
            return figures.finish(directory);
        }
    }

    private static void measure(Servers servers, Contender contender, int round, Path directory, Figures figures)
            throws Exception {
        String name = "startup-" + contender.name() + "-" + round;
        try (LiveRun run = LiveRun.prepare(servers, name, directory)) {
            double first = seconds(run, contender, 1);
            double again = seconds(run, contender, 2);
            figures.add(contender.name(), round, List.of(first, again));
        } catch (IllegalStateException failure) {
            figures.addFailed(contender.name(), round, Objects.requireNonNull(failure.getMessage()));
        }
    }

    private static double seconds(LiveRun run, Contender contender, int start) throws Exception {
        run.orders().sendOne();
        Instant launched = Instant.now();
        try (ContenderProcess process = run.start(contender, 1, "log-" + start)) {
            run.awaitEnd(start, process);
        }
        return Duration.between(launched, run.lastCommit()).toMillis() / 1e3;
    }
}
