package io.github.tandemstreams.engine;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Notices what a handler does outside of its batch's transaction: a transaction of its own (REQUIRES_NEW, or one of another
 * transaction manager) that commits whatever becomes of the batch. It costs no SQL.
 *
 * <p>Threading: one listener for all; what it notices belongs to the thread that runs the handler.
 */
public final class ForeignTransactions implements TransactionExecutionListener {

    private static final ForeignTransactions LISTENER = new ForeignTransactions();
    private static final ThreadLocal<@Nullable Watch> WATCH = new ThreadLocal<>();

    private ForeignTransactions() {}

    /** Listens to a transaction manager that handlers may use, if it can be listened to. Does so once. */
    public static void listenTo(PlatformTransactionManager manager) {
        if (manager instanceof ConfigurableTransactionManager configurable
                && !configurable.getTransactionExecutionListeners().contains(LISTENER)) {
            configurable.addListener(LISTENER);
        }
    }

    @Override
    public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
        Watch watch = WATCH.get();
        if (watch != null && failure == null && transaction.isNewTransaction() && !transaction.isReadOnly()) {
            watch.committed = Optional.of(transaction.getTransactionName());
        }
    }

    /** Begins to watch what this thread does, in the transaction that is bound to it. To be closed after the handler. */
    static Watch watch() {
        Watch watch = new Watch();
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(watch);
        }
        WATCH.set(watch);
        return watch;
    }

    /** What one call of a handler did. */
    static final class Watch implements TransactionSynchronization, AutoCloseable {

        private boolean suspended;
        private Optional<String> committed = Optional.empty();

        @Override
        public void suspend() {
            suspended = true;
        }

        /** Name of a transaction beside the batch's that was committed, and may have written. */
        Optional<String> committed() {
            return committed;
        }

        /** Whether the batch's transaction was put aside for something, be it reading. */
        boolean suspended() {
            return suspended;
        }

        @Override
        public void close() {
            WATCH.remove();
        }
    }
}
