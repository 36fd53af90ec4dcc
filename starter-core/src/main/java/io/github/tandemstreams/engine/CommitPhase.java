package io.github.tandemstreams.engine;

import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Tells whether COMMIT can have been sent. What others do before the commit (a flush, an event listener) may throw from
 * the same call; as long as that isn't over, the outcome is no matter of doubt.
 */
final class CommitPhase implements TransactionSynchronization, Ordered {

    private boolean reached;

    private CommitPhase(boolean reached) {
        this.reached = reached;
    }

    /** To be called after the handler, so that this comes after whatever the handler registered. */
    static CommitPhase register() {
        boolean told = TransactionSynchronizationManager.isSynchronizationActive();
        CommitPhase phase = new CommitPhase(!told);
        if (told) {
            TransactionSynchronizationManager.registerSynchronization(phase);
        }
        return phase;
    }

    boolean isReached() {
        return reached;
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        reached = true;
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }
}
