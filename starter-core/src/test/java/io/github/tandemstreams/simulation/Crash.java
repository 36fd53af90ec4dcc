package io.github.tandemstreams.simulation;

/** Unwinds the thread of an instance that has died. What it does on the way out reaches nobody. */
public final class Crash extends Error {

    private static final long serialVersionUID = 1;

    public Crash() {
        super("this instance is dead", null, false, false);
    }
}
