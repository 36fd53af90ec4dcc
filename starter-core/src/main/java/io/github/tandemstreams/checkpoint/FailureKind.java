package io.github.tandemstreams.checkpoint;

/** What a failure means for the batch that met it. */
public enum FailureKind {
    /** Passes by itself: the same batch again, with back-off, without end. Never a dead letter. */
    TRANSIENT,
    /** A cancelled statement, a time limit: tried again as often as a handler failure, but never blamed on a record. */
    TIMED_OUT,
    /** Needs a person, such as missing rights or a missing table: the lane fails at once. Never blamed on a record. */
    FATAL,
    /** The database refused the data of a record: trying again can't help, so the record is looked for at once. */
    DATA,
    /** Anything else the handler threw. */
    HANDLER
}
