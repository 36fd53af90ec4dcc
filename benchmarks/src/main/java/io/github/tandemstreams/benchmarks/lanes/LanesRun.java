package io.github.tandemstreams.benchmarks.lanes;

import io.github.tandemstreams.benchmarks.contenders.Contender;
import io.github.tandemstreams.benchmarks.contenders.ContenderProcess;
import io.github.tandemstreams.benchmarks.contenders.Latencies;
import io.github.tandemstreams.benchmarks.contenders.LiveRun;
import io.github.tandemstreams.benchmarks.servers.Servers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * One contender with all the partitions. A record waits in each when it starts; when they are committed it has all of them,
 * and the rest come in turn. Those of the first seconds aren't counted.
 */
final class LanesRun {

    static final List<String> FIGURES = List.of(
            "all at work, s", "% of one core", "transactions/s", "lag, records", "p50, ms", "p99, ms", "live heap, MB");

    /** Until the compilers of the JVM have come to rest, too. */
    private static final int SETTLING_SECONDS = 60;

    /** Less than others have: what many lanes need must fit in here, or the run fails. */
    private static final String[] HEAP = {"-Xms256m", "-Xmx256m"};

    /**
     * Logs this short need no index. As the partitions fill at one pace, all of them would begin theirs in the same second,
     * each with a new page of a file, and the broker would stand still until the disk has them.
     */
    private static final Map<String, String> TOPIC = Map.of("index.interval.bytes", "1048576");

    private final Servers servers;
    private final int partitions;
    private final int seconds;
    private final Path directory;

    LanesRun(Servers servers, int partitions, int seconds, Path directory) {
        this.servers = servers;
        this.partitions = partitions;
        this.seconds = seconds;
        this.directory = directory;
    }

    /** Its figures, in the order of their names. */
    List<Double> of(Contender contender, int round) throws Exception {
        String name = "lanes-" + contender.name() + "-" + round;
        // One in each partition, one in each for each second, and one in the end.
        long records = partitions * (1L + SETTLING_SECONDS + seconds) + 1;
        try (LiveRun run = LiveRun.prepare(servers, name, directory, partitions, TOPIC)) {
            sendFor(1, run);
            Instant launched = Instant.now();
            try (ContenderProcess process = run.start(contender.with(HEAP), records, "log")) {
                run.awaitRows(partitions, process);
                Duration atWork = Duration.between(launched, run.lastCommit());
                sendFor(SETTLING_SECONDS, run);
                List<Double> figures = measured(run, process, atWork);
                run.orders().sendOne();
                run.awaitEnd(records, process);
                return figures;
            }
        }
    }

    private List<Double> measured(LiveRun run, ContenderProcess process, Duration atWork) throws Exception {
        Instant from = Instant.now();
        Duration cpu = process.cpu();
        long transactions = run.transactions();
        sendFor(seconds, run);
        Instant until = Instant.now();
        long lag = run.orders().sent() - run.rows();
        double busy = process.cpu().minus(cpu).toMillis() / 1e3;
        long more = run.transactions() - transactions;
        run.awaitRows(run.orders().sent(), process);
        Latencies latencies = Latencies.of(run.jdbc(), from, until);
        return List.of(
                atWork.toMillis() / 1e3,
                100 * busy / seconds,
                (double) more / seconds,
                (double) lag,
                latencies.p50(),
                latencies.p99(),
                process.liveHeap() / 1e6);
    }

    private void sendFor(int seconds, LiveRun run) {
        run.orders().send((long) partitions * seconds, partitions);
    }
}
