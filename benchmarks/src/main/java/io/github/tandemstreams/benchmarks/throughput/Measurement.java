package io.github.tandemstreams.benchmarks.throughput;

import io.github.tandemstreams.benchmarks.contenders.Contender;
import io.github.tandemstreams.benchmarks.contenders.ContenderProcess;
import io.github.tandemstreams.benchmarks.contenders.Said;
import io.github.tandemstreams.benchmarks.contenders.Task;
import io.github.tandemstreams.benchmarks.report.Run;
import io.github.tandemstreams.benchmarks.servers.Database;
import io.github.tandemstreams.benchmarks.servers.Servers;
import io.github.tandemstreams.benchmarks.throughput.Stopwatch.Timing;
import io.github.tandemstreams.benchmarks.workloads.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** One run of one contender, in a database of its own. */
final class Measurement {

    private final Servers servers;
    private final int records;
    private final Map<Workload, Fingerprint> expected;
    private final Path directory;

    Measurement(Servers servers, int records, Map<Workload, Fingerprint> expected, Path directory) {
        this.servers = servers;
        this.records = records;
        this.expected = expected;
        this.directory = directory;
    }

    /** Its time counts only if its table is what it must be. */
    Run of(Contender contender, Workload workload, int round) throws IOException, InterruptedException {
        String name = workload.label() + "-" + contender.name() + "-" + round;
        Path files = Files.createDirectories(directory.resolve(name));
        try (Database database = servers.postgres().newDatabase()) {
            database.jdbc().execute(workload.ddl());
            Task task = new Task(
                    name,
                    workload,
                    workload.topic(),
                    records,
                    false,
                    servers.broker().bootstrapServers(),
                    database.url(),
                    files.toString());
            try (ContenderProcess process = ContenderProcess.start(contender, task, files.resolve("log"))) {
                Timing timing = time(process, workload, database);
                Said said = process.said();
                Fingerprint found = Fingerprint.of(workload, database.jdbc());
                if (!found.equals(expected.get(workload))) {
                    throw new IllegalStateException(
                            "its table is wrong: " + found + " instead of " + expected.get(workload));
                }
                return new Run(
                        workload.label(),
                        contender.name(),
                        round,
                        timing.perSecond(),
                        timing.busy().toMillis() / 1e3,
                        timing.whole().toMillis() / 1e3,
                        said,
                        null);
            }
        } catch (IllegalStateException failure) {
            return Run.failed(workload.label(), contender.name(), round, Objects.requireNonNull(failure.getMessage()));
        }
    }

    private Timing time(ContenderProcess process, Workload workload, Database database) throws InterruptedException {
        SingleConnectionDataSource connection = new SingleConnectionDataSource(database.url(), true);
        try {
            return new Stopwatch(workload, connection).time(process, records);
        } finally {
            connection.destroy();
        }
    }
}
