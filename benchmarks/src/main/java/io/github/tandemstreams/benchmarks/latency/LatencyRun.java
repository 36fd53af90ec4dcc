package io.github.tandemstreams.benchmarks.latency;

import io.github.tandemstreams.benchmarks.contenders.Contender;
import io.github.tandemstreams.benchmarks.contenders.ContenderProcess;
import io.github.tandemstreams.benchmarks.contenders.Latencies;
import io.github.tandemstreams.benchmarks.contenders.LiveRun;
import io.github.tandemstreams.benchmarks.servers.Servers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One contender at one rate after the other, with a topic and a database of its own. A first record tells that it is at work;
 * the records of the first seconds after that warm it up and aren't counted.
 */
final class LatencyRun {

    /**
     * Until the compilers of a JVM have come to rest. After 40 s of this they still took a ninth of the time of an application
     * with Spring in it, and none of a loop written by hand: its tail was theirs.
     */
    private static final int WARM_UP_SECONDS = 90;

    private static final int WARM_UP_RATE = 3_000;

    /** At the measured rate already. */
    private static final int SETTLING_SECONDS = 5;

    private final Servers servers;
    private final int seconds;
    private final Path directory;

    LatencyRun(Servers servers, int seconds, Path directory) {
        this.servers = servers;
        this.seconds = seconds;
        this.directory = directory;
    }

    /** At these rates, in their order. */
    List<LatencyResult> of(Contender contender, List<Integer> rates, int round) throws Exception {
        String name = "latency-" + contender.name() + "-" + round;
        long warmUp = (long) WARM_UP_RATE * WARM_UP_SECONDS;
        long records = 1 + warmUp + rates.stream().mapToLong(this::records).sum();
        List<LatencyResult> results = new ArrayList<>();
        try (LiveRun run = LiveRun.prepare(servers, name, directory);
                ContenderProcess process = run.start(contender, records, "log")) {
            run.orders().sendOne();
            run.awaitRows(1, process);
            run.orders().send(warmUp, WARM_UP_RATE);
            long sent = 1 + warmUp;
            for (int rate : rates) {
                Instant counted = Instant.now().plusSeconds(SETTLING_SECONDS);
                run.orders().send(records(rate), rate);
                Instant until = Instant.now();
                sent += records(rate);
                if (sent < records) {
                    run.awaitRows(sent, process);
                } else {
                    run.awaitEnd(records, process);
                }
                Latencies latencies = Latencies.of(run.jdbc(), counted, until);
                results.add(new LatencyResult(
                        contender.name(), rate, round, latencies.p50(), latencies.p99(), latencies.max(), null));
            }
        } catch (IllegalStateException failure) {
            String why = Objects.requireNonNull(failure.getMessage());
            rates.stream()
                    .skip(results.size())
                    .forEach(rate -> results.add(LatencyResult.failed(contender.name(), rate, round, why)));
        }
        return results;
    }

    private long records(int rate) {
        return (long) rate * (SETTLING_SECONDS + seconds);
    }
}
