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
import java.util.Set;
import java.util.stream.Stream;

/** From when a record was due to its commit, at rates that are far below what a contender can do. */
public final class Latency implements Benchmark {

    /** From the highest on: the lowest ones leave a compiler the least to do. */
    private static final List<Integer> RATES = List.of(5_000, 1_000, 100);

    /** Those that run with one worker, too: they have one connection then, as the loop of one thread has. */
    private static final Set<String> ALSO_WITH_ONE_WORKER =
            Set.of(Contenders.TANDEM_TUNED, Contenders.TANDEM_EFFECTS_DATABASE);

    private static final int SECONDS = 20;
    private static final int ROUNDS = 3;

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public boolean run(Options options) throws Exception {
        List<Contender> contenders = Contenders.built(each -> !each.equals(Contenders.TANDEM_UNWATCHED)).stream()
                .flatMap(Latency::alsoWithOneWorker)
                .filter(each -> options.wantsContender(each.name()))
                .toList();
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

    private static Stream<Contender> alsoWithOneWorker(Contender contender) {
        return ALSO_WITH_ONE_WORKER.contains(contender.name())
                ? Stream.of(
                        contender,
                        contender.with("-Dtandem.defaults.concurrency=1").named(contender.name() + "-1"))
                : Stream.of(contender);
    }
}
