package io.github.tandemstreams.benchmarks.latency;

import io.github.tandemstreams.benchmarks.servers.Database;
import io.github.tandemstreams.benchmarks.servers.Postgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;

/** What this disk takes for the insert and commit of one row: no latency can be below it. */
final class CommitAlone {

    private static final int COMMITS = 301;

    private CommitAlone() {}

    /** The median. */
    static double millis(Postgres postgres) throws SQLException {
        try (Database database = postgres.newDatabase()) {
            database.jdbc().execute("create table alone (n int)");
            try (Connection connection = database.dataSource().getConnection();
                    PreparedStatement insert = connection.prepareStatement("insert into alone values (1)")) {
                long[] nanos = new long[COMMITS];
                for (int i = 0; i < COMMITS; i++) {
                    long started = System.nanoTime();
                    insert.executeUpdate();
                    nanos[i] = System.nanoTime() - started;
                }
                Arrays.sort(nanos);
                return nanos[COMMITS / 2] / 1e6;
            }
        }
    }
}
