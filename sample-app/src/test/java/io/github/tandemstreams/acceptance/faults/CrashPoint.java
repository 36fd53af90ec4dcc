package io.github.tandemstreams.acceptance.faults;

/** Where a process ends itself, as seen at its DataSource. */
public enum CrashPoint {
    /** The plan of a batch was committed in a transaction of its own, the batch hasn't begun. */
    AFTER_PLAN,

    /** The flights are inserted, the sums aren't. */
    IN_HANDLER,

    /** All statements of a batch are through, COMMIT wasn't sent. */
    BEFORE_COMMIT,

    /** The server has committed a batch, nobody has heard of it yet. */
    AFTER_COMMIT,

    /** It doesn't. */
    NOWHERE
}
