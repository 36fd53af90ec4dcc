package io.github.tandemstreams.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.RowMapperResultSetExtractor;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Transactions of the checkpoint itself: at READ COMMITTED whatever the default is, with bounded waits for locks and between
 * statements, and with a durable COMMIT.
 *
 * <p>Threading: safe for use by several threads.
 */
final class OwnTransactions {

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transactions;
    private final ReadOnlyConnections readOnly;

    /** Limit of the sessions' idle time in transactions, as the last transaction found it: 0 for none, -1 if unknown. */
    private volatile long sessionIdleMillis = -1;

    /** Whether transactions of these sessions are at READ COMMITTED, unless they say otherwise, as the last one found it. */
    private volatile boolean sessionsReadCommitted;

    OwnTransactions(DataSource dataSource, JdbcTemplate jdbc, ReadOnlyConnections readOnly) {
        this.jdbc = jdbc;
        JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
        // A roll-back of a connection that is lost would fail too, and its error would hide the one that counts.
        manager.setRollbackOnCommitFailure(false);
        this.transactions = new TransactionTemplate(manager);
        this.readOnly = readOnly;
    }

    /**
     * Runs the work in a new transaction.
     *
     * @throws IllegalTransactionStateException if a transaction is bound to the thread: a second connection taken while
     *     holding the first can starve a pool
     */
    <T extends @Nullable Object> T run(Supplier<T> work) {
        return transact(() -> {
            jdbc.execute(this::begin);
            return work.get();
        });
    }

    /**
     * Runs one statement in a new transaction, all of which is one message and one answer: whoever waits for a plan waits for
     * this. Any failure but the last one below leaves open whether it was committed.
     *
     * @param statement what {@link Settings#alone} made
     * @throws IllegalTransactionStateException as above
     * @throws CannotCreateTransactionException if there is no connection; then nothing was sent
     */
    <T> List<T> query(String statement, PreparedStatementSetter parameters, RowMapper<T> mapper) {
        RowMapperResultSetExtractor<T> rows = new RowMapperResultSetExtractor<>(mapper);
        return alone(() -> jdbc.execute((Connection connection) -> {
            if (!connection.getAutoCommit()) {
                connection.setAutoCommit(true);
            }
            try (PreparedStatement prepared = connection.prepareStatement(statement)) {
                parameters.setValues(prepared);
                prepared.execute();
                prepared.getMoreResults();
                begun(prepared);
                prepared.getMoreResults();
                try (ResultSet found = prepared.getResultSet()) {
                    return rows.extractData(found);
                }
            } catch (SQLException failure) {
                rollBack(connection, failure);
                throw failure;
            }
        }));
    }

    /** The driver knows of no transaction, and so would end none. */
    private static void rollBack(Connection connection, SQLException failure) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("rollback");
        } catch (SQLException lost) {
            failure.addSuppressed(lost);
        }
    }

    private <T extends @Nullable Object> T transact(Supplier<T> work) {
        return alone(() -> transactions.execute(status -> work.get()));
    }

    private <T extends @Nullable Object> T alone(Supplier<T> work) {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalTransactionStateException(
                    "The checkpoint needs a transaction of its own, but one is bound to this thread");
        }
        try {
            return work.get();
        } catch (CannotGetJdbcConnectionException none) {
            throw new CannotCreateTransactionException("Could not open a connection for a transaction", none);
        } catch (RuntimeException failure) {
            readOnly.shedAfter(failure);
            throw failure;
        }
    }

    /** Whether the sessions of this database are known to bound idle transactions at least as close. */
    boolean sessionsLimitIdleTime(long millis) {
        long limit = sessionIdleMillis;
        return limit > 0 && limit <= millis;
    }

    /** Whether a transaction that says nothing of its isolation is known to be at READ COMMITTED. */
    boolean sessionsReadCommitted() {
        return sessionsReadCommitted;
    }

    /** Two statements in one round trip: SET TRANSACTION has no result, the second one has. */
    private boolean begin(Statement statement) throws SQLException {
        statement.execute(Settings.BEGIN);
        statement.getMoreResults();
        begun(statement);
        return true;
    }

    private void begun(Statement statement) throws SQLException {
        try (ResultSet settings = statement.getResultSet()) {
            settings.next();
            sessionIdleMillis = settings.getLong("idle_before");
            sessionsReadCommitted = settings.getBoolean("read_committed");
        }
    }
}
