package io.github.tandemstreams.engine;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/** Opens the transactions that a stream's handler runs in. */
final class HandlerTransactions {

    private static final Logger log = LoggerFactory.getLogger(HandlerTransactions.class);

    private final StreamDefinition<?> stream;
    private final PlatformTransactionManager manager;

    HandlerTransactions(StreamDefinition<?> stream) {
        this.stream = stream;
        this.manager = stream.transactionManager();
    }

    /** A new transaction that may take this long; it may sit idle no longer than the stream's transactions may. */
    TransactionStatus begin(Duration timeout) {
        DefaultTransactionDefinition definition =
                new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        definition.setName("tandem:" + stream.name());
        definition.setTimeout((int) Math.min(timeout.toSeconds(), Integer.MAX_VALUE));
        return manager.getTransaction(definition);
    }

    void commit(TransactionStatus transaction) {
        manager.commit(transaction);
    }

    void rollBack(TransactionStatus transaction) {
        try {
            manager.rollback(transaction);
        } catch (Throwable alreadyGone) {
            // The connection is lost, or closed by the server: it has rolled back, or will.
            log.debug("Stream '{}': roll-back found no transaction", stream.name(), alreadyGone);
        }
    }
}
