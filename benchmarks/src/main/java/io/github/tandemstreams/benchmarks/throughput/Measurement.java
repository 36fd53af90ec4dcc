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
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** One run of one contender. */
public final class Measurement {

    private final Servers servers;
    private final @Nullable String topic;
    private final int records;
    private final Map<Workload, Fingerprint> expected;
    private final Path directory;

    /** @param expected what the tables must be in the end */
    public Measurement(Servers servers, int records, Map<Workload, Fingerprint> expected, Path directory) {
        this(servers, null, records, expected, directory);
    }

    /** @param topic where the records are; null for the topics of the workloads */
    public Measurement(
            Servers servers, @Nullable String topic, int records, Map<Workload, Fingerprint> expected, Path directory) {
        this.servers = servers;
        this.topic = topic;
        this.records = records;
        this.expected = expected;
        this.directory = directory;
    }

    /** In a database of its own. */
    Run of(Contender contender, Workload workload, int round) throws IOException, InterruptedException {
        try (Database database = servers.postgres().newDatabase()) {
            return in(database, contender, workload, round, workload.label() + "-" + contender.name() + "-" + round);
        }
    }

    /**
     * In a database that others made. The time counts only if the contender's table is what it must be.
     *
     * @param database where that table isn't yet
     * @param name of the run, which no other has
     */
    public Run in(Database database, Contender contender, Workload workload, int round, String name)
            throws IOException, InterruptedException {
        Path files = Files.createDirectories(directory.resolve(name));
        database.jdbc().execute(workload.ddl());
        try {
            Task task = new Task(
                    name,
                    workload,
                    topic == null ? workload.topic() : topic,
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
                        timing.secondHalfPerSecond(),
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
