package io.github.tandemstreams.simulation;

/** The row locks that the checkpoint's statements take. */
enum LockMode {
    SHARE,
    NO_KEY_UPDATE,
    UPDATE;

    boolean conflictsWith(LockMode other) {
        return this != SHARE || other != SHARE;
    }
}
