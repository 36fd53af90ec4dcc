package io.github.tandemstreams.simulation;

import java.util.List;

/**
 * Where an instance stops and asks how it goes on. The point before a statement, or before COMMIT, is also the one after the
 * statement before it, since nothing that others could see lies between; only where the engine itself takes a lost answer
 * otherwise than a lost COMMIT, the answer has a point of its own.
 */
public enum Point {
    /** Between two turns of the worker. What dies here might as well have died at the next point. */
    TURN,
    /** Before the source is asked for its bounds. */
    SOURCE,
    /** Before a batch's transaction has its connection. What dies here might as well have died in the handler. */
    BEGIN,
    /** The handler was called and has written nothing yet. */
    HANDLER,
    /** Before a statement of the checkpoint. */
    STATEMENT,
    /** The last statement of a batch's transaction was run; its answer hasn't come. */
    ANSWER,
    /** After the last statement, before COMMIT has taken effect. */
    COMMIT,
    /** COMMIT has taken effect, its answer hasn't come. */
    COMMITTED;

    /** What may go wrong here. */
    public List<Fate> faults() {
        return switch (this) {
            case TURN -> List.of();
            case SOURCE -> List.of(Fate.REFUSED, Fate.CRASH);
            case BEGIN -> List.of(Fate.REFUSED);
            case HANDLER -> List.of(Fate.HANDLER_FAILS, Fate.REFUSED, Fate.CRASH);
            case STATEMENT -> List.of(Fate.LOST, Fate.REFUSED, Fate.CRASH);
            case ANSWER -> List.of(Fate.LOST);
            case COMMIT -> List.of(Fate.LOST, Fate.LOST_COMMITTING, Fate.REFUSED, Fate.CRASH, Fate.CRASH_COMMITTING);
            case COMMITTED -> List.of(Fate.LOST, Fate.CRASH);
        };
    }
}
