package io.github.tandemstreams.simulation;

/** How a client goes on from a point. */
public enum Fate {
    GOES_ON,
    /** The handler throws an exception of its own. */
    HANDLER_FAILS,
    /** The server says no and has rolled back, or there is no connection to be had. It passes by itself. */
    REFUSED,
    /** The connection is lost. The server keeps the transaction, with its locks, until it notices; then it rolls back. */
    LOST,
    /** The connection is lost while COMMIT is on its way: the server will commit, later. */
    LOST_COMMITTING,
    /** The process dies. The server keeps its transaction until it notices; then it rolls back. */
    CRASH,
    /** The process dies while COMMIT is on its way: the server will commit, later. */
    CRASH_COMMITTING;

    public boolean isCrash() {
        return this == CRASH || this == CRASH_COMMITTING;
    }
}
