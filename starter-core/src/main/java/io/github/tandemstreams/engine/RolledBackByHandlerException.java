package io.github.tandemstreams.engine;

/** The handler returned normally but had marked the transaction for roll-back: its writes can't be committed. */
final class RolledBackByHandlerException extends EngineException {

    /** @param what what the handler was called with */
    RolledBackByHandlerException(String what) {
        super(what + ": the handler returned normally but the transaction was marked rollback-only"
                + " (setRollbackOnly, or an exception that crossed a @Transactional method and was caught). Let the"
                + " exception reach Tandem, or don't let it cross a transactional boundary.");
    }
}
