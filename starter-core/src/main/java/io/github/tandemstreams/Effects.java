package io.github.tandemstreams;

/** Where a handler's effects are. */
public enum Effects {

    /**
     * Effects may also be outside the database (a call, a file, a message). Each batch is planned in the offset log before
     * it runs, so that a replay has the same {@link TransactionId} and the same offset range.
     */
    ANYWHERE,

    /**
     * All effects are in the stream's database. The plan is then written with the commit, which saves a transaction when
     * idle; a replay may cut the batch elsewhere, which nothing can observe. {@link Batch#transactionId()} throws.
     */
    DATABASE
}
