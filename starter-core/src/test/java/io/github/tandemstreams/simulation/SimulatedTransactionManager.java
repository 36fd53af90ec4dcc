package io.github.tandemstreams.simulation;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.SavepointManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Transactions on the simulated database; they carry the handler's effects and the checkpoint's commit. */
public class SimulatedTransactionManager extends AbstractPlatformTransactionManager {

    private static final long serialVersionUID = 1;

    private final transient SimulatedDatabase database;
    private final transient Steps steps;

    public SimulatedTransactionManager(SimulatedDatabase database, Steps steps) {
        this.database = database;
        this.steps = steps;
    }

    /** Spring's handle of a transaction. */
    private static final class Holder implements SavepointManager {

        @Nullable
        SimulatedConnection connection;

        SimulatedConnection connection() {
            if (connection == null) {
                throw new IllegalStateException("no transaction was begun");
            }
            return connection;
        }

        @Override
        public Object createSavepoint() {
            return new Savepoint(connection().savepoint());
        }

        @Override
        public void rollbackToSavepoint(Object savepoint) {
            connection().rollBackTo(((Savepoint) savepoint).writes());
        }

        @Override
        public void releaseSavepoint(Object savepoint) {
            // Nothing is kept for it.
        }
    }

    private record Savepoint(Map<Key<?>, Object> writes) {}

    @Override
    protected Object doGetTransaction() {
        Holder holder = new Holder();
        holder.connection = (SimulatedConnection) TransactionSynchronizationManager.getResource(database);
        return holder;
    }

    @Override
    protected boolean isExistingTransaction(Object transaction) {
        return ((Holder) transaction).connection != null;
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
        if (steps.reach(Point.BEGIN, "a connection for the batch") == Fate.REFUSED) {
            throw new CannotCreateTransactionException("simulated: no connection to be had");
        }
        SimulatedConnection connection = database.connect(steps);
        ((Holder) transaction).connection = connection;
        TransactionSynchronizationManager.bindResource(database, connection);
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
        ((Holder) status.getTransaction()).connection().commit();
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
        ((Holder) status.getTransaction()).connection().rollBack();
    }

    @Override
    protected void doCleanupAfterCompletion(Object transaction) {
        TransactionSynchronizationManager.unbindResource(database);
    }
}
