package io.github.tandemstreams.engine;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.sink.Sink;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.TransactionStatus;

/**
 * Calls the handler inside a transaction, and sees whether what it did can be committed with the batch.
 *
 * <p>Threading: belongs to one thread.
 */
final class HandlerCall<T extends @Nullable Object> {

    private static final Logger log = LoggerFactory.getLogger(HandlerCall.class);

    private final Sink<T> sink;
    private final Checkpoint checkpoint;
    private boolean warned;

    HandlerCall(StreamDefinition<T> stream) {
        this.sink = stream.sink();
        this.checkpoint = stream.checkpoint();
    }

    /**
     * Runs the handler.
     *
     * @throws RolledBackByHandlerException if it returned but had marked the transaction for roll-back
     * @throws ForeignTransactionException if it committed something beside the transaction
     * @throws Throwable what the handler throws
     */
    void run(Batch<T> batch, TransactionStatus transaction) throws Throwable {
        int connections = checkpoint.boundConnections();
        try (ForeignTransactions.Watch watch = ForeignTransactions.watch()) {
            write(batch, transaction, watch);
            if (!warned && (watch.suspended() || checkpoint.boundConnections() > connections)) {
                warned = true;
                log.warn(
                        "{}: the handler used a connection beside its batch's transaction (a suspended transaction, or"
                                + " another DataSource). What it reads there is harmless; what it writes there is not"
                                + " exactly once.",
                        described(batch));
            }
        }
        if (transaction.isRollbackOnly()) {
            throw new RolledBackByHandlerException(described(batch));
        }
    }

    /** What was committed elsewhere stays, also if the handler failed then: another run would do it twice. */
    private void write(Batch<T> batch, TransactionStatus transaction, ForeignTransactions.Watch watch)
            throws Throwable {
        Throwable thrown = null;
        try {
            sink.write(batch);
            // What JPA still holds back must reach the database before our statement, so that its errors are the
            // handler's.
            transaction.flush();
        } catch (Throwable failure) {
            thrown = failure;
        }
        if (watch.committed().isPresent()) {
            ForeignTransactionException refused = new ForeignTransactionException(
                    described(batch), watch.committed().get());
            if (thrown != null) {
                refused.addSuppressed(thrown);
            }
            throw refused;
        }
        if (thrown != null) {
            throw thrown;
        }
    }

    private static String described(Batch<?> batch) {
        return "Stream '" + batch.stream() + "', lane " + batch.lane() + ", batch " + batch.id();
    }
}
