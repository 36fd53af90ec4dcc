package io.github.tandemstreams;

/** What becomes of a batch whose handler goes on failing, or whose data Postgres refuses. */
public enum OnFailure {

    /**
     * The records to blame are found by trial runs, and become dead letters in the transaction that commits the others.
     * If no record fails by itself, or too many in a row do, the lane stops as FAILED instead.
     */
    DEAD_LETTER,

    /** The lane stops as FAILED, with its cause, until it is resumed. */
    STOP
}
