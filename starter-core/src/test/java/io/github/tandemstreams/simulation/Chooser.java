package io.github.tandemstreams.simulation;

/** Decides what happens next, at every decision of a run. */
@FunctionalInterface
public interface Chooser {

    /**
     * Chooses.
     *
     * @param options how many there are; the first is the one without deviation
     * @return from 0 to {@code options - 1}
     */
    int choose(int options);
}
