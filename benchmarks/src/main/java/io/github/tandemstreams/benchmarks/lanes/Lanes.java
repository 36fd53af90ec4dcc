package io.github.tandemstreams.benchmarks.lanes;

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

/** One instance with a thousand partitions, each of which gets a record a second. */
public final class Lanes implements Benchmark {

    private static final int PARTITIONS = 1_000;
    private static final int SECONDS = 60;
    private static final int ROUNDS = 3;

    private static final Set<String> CONTENDERS = Set.of(
            Contenders.SPRING_KAFKA,
            Contenders.SPRING_KAFKA_TUNED,
            Contenders.TANDEM,
            Contenders.TANDEM_EFFECTS_DATABASE);

    @Override
    public String name() {
        return "lanes";
    }

    @Override
    public boolean run(Options options) throws Exception {
        List<Contender> contenders =
                Contenders.built(each -> CONTENDERS.contains(each) && options.wantsContender(each));
        Path directory = Files.createDirectories(options.directory());
        try (Servers servers = Servers.start(directory)) {
            LanesRun run = new LanesRun(servers, options.partitions(PARTITIONS), options.seconds(SECONDS), directory);
            Figures figures = new Figures(name(), Machine.here(servers.postgres()), LanesRun.FIGURES);
            for (int round = 1; round <= options.rounds(ROUNDS); round++) {
                for (Contender contender : contenders) {
                    try {
                        figures.add(contender.name(), round, run.of(contender, round));
                    } catch (IllegalStateException failure) {
                        figures.addFailed(contender.name(), round, Objects.requireNonNull(failure.getMessage()));
                    }
                }
            }
            return figures.finish(directory);
        }
    }
}
