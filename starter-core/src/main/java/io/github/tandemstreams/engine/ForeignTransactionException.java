package io.github.tandemstreams.engine;

/** The handler committed a transaction beside its batch's: with each replay of the batch that is done again. */
final class ForeignTransactionException extends EngineException {

    /** @param transaction name of the other transaction */
    ForeignTransactionException(String what, String transaction) {
        super(what + ": the handler committed another transaction (" + transaction + ", by REQUIRES_NEW or another"
                + " transaction manager), which stays whatever becomes of the batch, and is repeated with it. Let it join"
                + " the batch's transaction, or make it read-only.");
    }
}
