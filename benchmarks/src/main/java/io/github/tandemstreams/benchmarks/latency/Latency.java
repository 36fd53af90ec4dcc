package io.github.tandemstreams.benchmarks.latency;

import io.github.tandemstreams.benchmarks.Benchmark;
import io.github.tandemstreams.benchmarks.Options;
import io.github.tandemstreams.benchmarks.contenders.Contender;
import io.github.tandemstreams.benchmarks.contenders.Contenders;
import io.github.tandemstreams.benchmarks.report.Machine;
import io.github.tandemstreams.benchmarks.servers.Servers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** From when a record was due to its commit, at rates that are far below what a contender can do. */
public final class Latency implements Benchmark {

    /** From the highest on: the lowest ones leave a compiler the least to do. */
    private static final List<Integer> RATES = List.of(5_000, 1_000, 100);

    private static final int SECONDS = 20;
    private static final int ROUNDS = 3;

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public boolean run(Options options) throws Exception {
        List<Contender> contenders = Contenders.built(options::wantsContender);
        Path directory = Files.createDirectories(options.directory());
        try (Servers servers = Servers.start(directory)) {
            Machine machine = Machine.here(servers.postgres());
            LatencyReport report = new LatencyReport(machine, CommitAlone.millis(servers.postgres()));
            LatencyRun run = new LatencyRun(servers, options.seconds(SECONDS), directory);
            List<Integer> rates = RATES.stream().filter(options::wantsRate).toList();
            for (int round = 1; round <= options.rounds(ROUNDS); round++) {
                for (Contender contender : contenders) {
                    run.of(contender, rates, round).forEach(report::add);
                }
            }
            return report.finish(directory);
        }
    }
}
