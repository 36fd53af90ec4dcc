package io.github.tandemstreams.benchmarks.pekko;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.apache.pekko.japi.function.Function;
import org.apache.pekko.projection.jdbc.JdbcSession;

/** A transaction on a connection of the pool, which opens it without auto-commit. */
final class PooledSession implements JdbcSession {

    private final Connection connection;

    PooledSession(DataSource pool) {
        try {
            connection = pool.getConnection();
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public <R> R withConnection(Function<Connection, R> work) throws Exception {
        return work.apply(connection);
    }

    @Override
    public void commit() throws SQLException {
        connection.commit();
    }

    @Override
    public void rollback() throws SQLException {
        connection.rollback();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
