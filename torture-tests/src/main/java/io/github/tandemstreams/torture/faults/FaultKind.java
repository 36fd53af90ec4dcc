package io.github.tandemstreams.torture.faults;

import java.util.Locale;

/** What is done to the processes and their connections. */
public enum FaultKind {
    /** SIGKILL of an application. */
    KILL,
    /** SIGSTOP of an application until the others have its lanes, then SIGCONT; every other time in a transaction. */
    FREEZE,
    /** An application stops in order. */
    STOP,
    /** The server ends sessions of the applications: all, or those in a transaction. */
    TERMINATE,
    /** Postgres ends as in a crash, and recovers. */
    POSTGRES_CRASH,
    /** The broker is killed, or stops in order, and comes back. */
    BROKER_RESTART,
    /** Connections to Postgres are cut. */
    CUT,
    /** Three connections are cut in a COMMIT: before the server gets it, or after it has done it. */
    COMMIT_CUT,
    /** The topic gains a partition. */
    PARTITION;

    /** As in messages and in the summary. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it is done to one of the applications. */
    boolean hitsApplication() {
        return this == KILL || this == FREEZE || this == STOP;
    }
}
