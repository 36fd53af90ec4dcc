package io.github.tandemstreams.benchmarks.failover;

import io.github.tandemstreams.benchmarks.contenders.Contender;
import io.github.tandemstreams.benchmarks.contenders.ContenderProcess;
import io.github.tandemstreams.benchmarks.contenders.LiveRun;
import io.github.tandemstreams.benchmarks.servers.Broker;
import io.github.tandemstreams.benchmarks.servers.Servers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Two instances of a contender with a topic and a database of their own, under constant load, of which one gets a signal. */
final class FailoverRun {

    static final List<String> FIGURES = List.of("worst partition, ms", "best partition, ms", "missing rows");

    /** What a broker allows at least. Kafka's default is 45 s, of which a killed instance would use up nearly all. */
    static final int SESSION_TIMEOUT_MILLIS = 6_000;

    private static final int RATE = 1_000;
    private static final Duration SETTLING = Duration.ofSeconds(5);
    private static final Duration AFTERWARDS = Duration.ofSeconds(3);

    /** Without a new row for this long, none comes any more. */
    private static final Duration QUIET = Duration.ofSeconds(10);

    private static final Duration GIVE_UP = Duration.ofMinutes(2);
    private static final long LOOK_EVERY_MILLIS = 200;

    private static final String ENDED = "ended";
    private static final String OTHER = "other";

    private final Servers servers;
    private final Path directory;

    FailoverRun(Servers servers, Path directory) {
        this.servers = servers;
        this.directory = directory;
    }

    TakeOver of(Contender contender, Signal signal, int round) throws Exception {
        String name = "failover-" + contender.name() + "-" + signal + "-" + round;
        Contender impatient =
                contender.with("-Dspring.kafka.consumer.properties.session.timeout.ms=" + SESSION_TIMEOUT_MILLIS);
        try (LiveRun run = LiveRun.prepare(servers, name, directory)) {
            Writers writers = new Writers(run.jdbc());
            writers.note();
            try (ContenderProcess ended = run.startInstance(impatient, ENDED);
                    ContenderProcess other = run.startInstance(impatient, OTHER)) {
                TakeOver seen = underLoad(run, writers, signal, ended, other);
                return new TakeOver(seen.worstMillis(), seen.bestMillis(), missing(run));
            }
        }
    }

    private static TakeOver underLoad(
            LiveRun run, Writers writers, Signal signal, ContenderProcess ended, ContenderProcess other)
            throws InterruptedException {
        try (Load load = new Load(run.orders(), RATE)) {
            int half = Broker.PARTITIONS / 2;
            await("each has its half of the partitions", () -> {
                requireAlive(ended);
                requireAlive(other);
                return writers.partitionsOf(ENDED) == half && writers.partitionsOf(OTHER) == half;
            });
            Thread.sleep(SETTLING.toMillis());
            Instant sent = Instant.now();
            signal.send(ended);
            await("the other has taken all over", () -> {
                requireAlive(other);
                return writers.takeOver(ENDED, OTHER, sent).isPresent();
            });
            Thread.sleep(AFTERWARDS.toMillis());
            return writers.takeOver(ENDED, OTHER, sent).orElseThrow();
        }
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        Instant giveUp = Instant.now().plus(GIVE_UP);
        while (!condition.getAsBoolean()) {
            if (Instant.now().isAfter(giveUp)) {
                throw new IllegalStateException("it isn't so that " + what);
            }
            Thread.sleep(LOOK_EVERY_MILLIS);
        }
    }

    private static void requireAlive(ContenderProcess process) {
        if (!process.isAlive()) {
            throw new IllegalStateException("an instance ended by itself");
        }
    }

    /** How many rows aren't there when no more come. */
    private static long missing(LiveRun run) throws InterruptedException {
        long rows = run.rows();
        Instant quietSince = Instant.now();
        while (rows < run.orders().sent() && Instant.now().isBefore(quietSince.plus(QUIET))) {
            Thread.sleep(LOOK_EVERY_MILLIS);
            long now = run.rows();
            if (now != rows) {
                rows = now;
                quietSince = Instant.now();
            }
        }
        return run.orders().sent() - rows;
    }
}
