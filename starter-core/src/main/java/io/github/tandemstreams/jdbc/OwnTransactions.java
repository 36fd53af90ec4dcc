package io.github.tandemstreams.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
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
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalTransactionStateException(
                    "The checkpoint needs a transaction of its own, but one is bound to this thread");
        }
        try {
            return transactions.execute(status -> {
                sessionIdleMillis = jdbc.execute(OwnTransactions::begin);
                return work.get();
            });
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

    private static Long begin(Statement statement) throws SQLException {
        // Two statements in one round trip: SET TRANSACTION has no result, the second one has.
        statement.execute(Settings.BEGIN);
        statement.getMoreResults();
        try (ResultSet settings = statement.getResultSet()) {
            settings.next();
            return settings.getLong("idle_before");
        }
    }
}
