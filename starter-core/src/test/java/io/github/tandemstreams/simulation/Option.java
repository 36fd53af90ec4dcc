package io.github.tandemstreams.simulation;

/**
 * What may happen next. Without deviation the first actor that can move does.
 *
 * @param kind what happens
 * @param fate for an instance that goes on: how
 * @param lane for a rebalance or a rewind: number of the lane
 */
public record Option(Kind kind, Fate fate, int lane) {

    /** Kinds of what may happen. */
    public enum Kind {
        /** The first actor that can move does so. */
        GO_ON,
        /** It is put behind all others, and goes on when they can't: preempted, or paused as a zombie. */
        PUT_LAST,
        /** The lane is assigned to the other instance. */
        REBALANCE,
        /** The same, but the one that loses it hears of it last. */
        REBALANCE_UNNOTICED,
        /** The server comes to the end of an orphaned transaction now. */
        SERVER_FIRST,
        /** A little time passes. */
        TICK,
        /** An operator pauses the lane, or resumes it. */
        COMMAND,
        /** An operator has the lane go back a few records. */
        REWIND
    }

    public static final Option GO_ON = of(Kind.GO_ON);

    public static Option of(Kind kind) {
        return of(kind, 0);
    }

    public static Option of(Kind kind, int lane) {
        return new Option(kind, Fate.GOES_ON, lane);
    }

    public static Option fault(Fate fate) {
        return new Option(Kind.GO_ON, fate, 0);
    }

    @Override
    public String toString() {
        return fate == Fate.GOES_ON ? kind.toString() : fate.toString();
    }
}
