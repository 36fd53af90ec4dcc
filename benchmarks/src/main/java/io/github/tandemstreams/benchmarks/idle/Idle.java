package io.github.tandemstreams.benchmarks.idle;

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
import java.util.List;
import java.util.Objects;

/** CPU time of the process, and transactions in its database, while no record comes. */
public final class Idle implements Benchmark {

    private static final int SECONDS = 30;
    private static final int ROUNDS = 3;

    /** After its first record: until the JVM has settled, and the server has counted what was before. */
    private static final Duration SETTLING = Duration.ofSeconds(10);

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public boolean run(Options options) throws Exception {
        List<Contender> contenders = Contenders.built(options::wantsContender);
        Path directory = Files.createDirectories(options.directory());
        int seconds = options.seconds(SECONDS);
        try (Servers servers = Servers.start(directory)) {
            Figures figures =
                    new Figures(name(), Machine.here(servers.postgres()), List.of("% of one core", "transactions/s"));
            for (int round = 1; round <= options.rounds(ROUNDS); round++) {
                for (Contender contender : contenders) {
                    measure(servers, contender, round, directory, seconds, figures);
                }
            }
            return figures.finish(directory);
        }
    }

    private static void measure(
            Servers servers, Contender contender, int round, Path directory, int seconds, Figures figures)
            throws Exception {
        String name = "idle-" + contender.name() + "-" + round;
        try (LiveRun run = LiveRun.prepare(servers, name, directory);
                ContenderProcess process = run.start(contender, 2, "log")) {
            run.orders().sendOne();
            run.awaitRows(1, process);
            Thread.sleep(SETTLING.toMillis());
            Duration cpu = process.cpu();
            long transactions = run.transactions();
            Thread.sleep(seconds * 1_000L);
            double busy = process.cpu().minus(cpu).toMillis() / 1e3;
            long more = run.transactions() - transactions;
            run.orders().sendOne();
            run.awaitEnd(2, process);
            figures.add(contender.name(), round, List.of(100 * busy / seconds, (double) more / seconds));
        } catch (IllegalStateException failure) {
            figures.addFailed(contender.name(), round, Objects.requireNonNull(failure.getMessage()));
        }
    }
}
