package io.github.tandemstreams;

/** What becomes of records with a null value. */
public enum Tombstones {
    /** They are handed to the handler as null and hold their place. */
    DELIVER,
    /** They are left out of the batch. Its range covers them all the same. */
    SKIP
}
