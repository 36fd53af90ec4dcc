package io.github.tandemstreams.benchmarks.throughput;

import io.github.tandemstreams.benchmarks.servers.Database;
import io.github.tandemstreams.benchmarks.servers.Postgres;
import io.github.tandemstreams.benchmarks.workloads.Input;
import io.github.tandemstreams.benchmarks.workloads.Workload;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.postgresql.PGConnection;
import org.postgresql.copy.PGCopyOutputStream;

/** What the tables must be in the end, worked out by Postgres from the same lines. */
public final class Expectation {

    private Expectation() {}

    /** For each workload of the input's topic. */
    public static Map<Workload, Fingerprint> of(Input input, List<Workload> workloads, Postgres postgres)
            throws SQLException, IOException {
        Map<Workload, Fingerprint> expected = new EnumMap<>(Workload.class);
        try (Database database = postgres.newDatabase()) {
            database.jdbc().execute("create table input (line jsonb)");
            copy(input, database);
            for (Workload workload : workloads) {
                if (workload.topic().equals(input.topic())) {
                    database.jdbc().execute(workload.ddl());
                    database.jdbc().execute(workload.expectation());
                    expected.put(workload, Fingerprint.of(workload, database.jdbc()));
                }
            }
        }
        return expected;
    }

    private static void copy(Input input, Database database) throws SQLException, IOException {
        try (Connection connection = database.dataSource().getConnection();
                BufferedWriter rows = new BufferedWriter(new OutputStreamWriter(
                        new PGCopyOutputStream(connection.unwrap(PGConnection.class), "copy input from stdin"),
                        StandardCharsets.UTF_8))) {
            for (long i = 0; i < input.records(); i++) {
                rows.write(input.lines().apply(i).replace("\\", "\\\\"));
                rows.write('\n');
            }
        }
    }
}
