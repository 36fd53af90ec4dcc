package io.github.tandemstreams;

/** What a batch spends its time with, in this order. */
public enum BatchPhase {
    /** Its plan is written ahead. Nothing where the plan rides along with another batch's commit. */
    PLAN,
    /** It waits for its worker and for a connection: from when its records are there and the lane's last batch is over. */
    QUEUE,
    /** Its records are decoded. */
    DECODE,
    /** The handler runs. */
    HANDLER,
    /** Its commit statement, and COMMIT. */
    COMMIT
}
