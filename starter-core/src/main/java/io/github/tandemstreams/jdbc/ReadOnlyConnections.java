package io.github.tandemstreams.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rids a pool of connections that were opened before a fail-over, to a server that takes no writes any more. They answer
 * like sound ones, so the pool itself would keep them for their whole life.
 *
 * <p>Threading: safe for use by several threads.
 */
final class ReadOnlyConnections {

    private static final Logger log = LoggerFactory.getLogger(ReadOnlyConnections.class);

    private static final String READ_ONLY = "25006";

    /** No pool is expected to be larger; whatever is left is found by the next failure. */
    private static final int AT_A_TIME = 100;

    /** A connection that is new and read-only tells that the server is: opening more of them would be no help. */
    private static final String STALE = """
            select current_setting('transaction_read_only')::boolean and backend_start < clock_timestamp() - interval '1 s'
              from pg_stat_activity
             where pid = pg_backend_pid()
            """;

    private final DataSource dataSource;

    ReadOnlyConnections(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** If the failure is that of a read-only server, closes connections of the pool until it gives a writable or a new one. */
    void shedAfter(Throwable failure) {
        if (!SqlStates.contains(failure, READ_ONLY)) {
            return;
        }
        try {
            int closed = 0;
            while (closed < AT_A_TIME && closedStale()) {
                closed++;
            }
            log.debug("Closed {} connections to a database server that takes no writes any more", closed);
        } catch (SQLException unreachable) {
            log.debug("Connections to a read-only server can't be told yet", unreachable);
        }
    }

    private boolean closedStale() throws SQLException {
        Connection connection = dataSource.getConnection();
        boolean stale = false;
        try {
            stale = isStale(connection);
            if (stale) {
                // Closing would only give it back to the pool, which finds this one broken and opens another.
                connection.abort(Runnable::run);
            }
            return stale;
        } finally {
            giveBack(connection);
        }
    }

    private static boolean isStale(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(STALE)) {
            boolean stale = result.next() && result.getBoolean(1);
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            return stale;
        }
    }

    private static void giveBack(Connection connection) {
        try {
            connection.close();
        } catch (SQLException aborted) {
            log.trace("The pool was told that the connection is broken", aborted);
        }
    }
}
