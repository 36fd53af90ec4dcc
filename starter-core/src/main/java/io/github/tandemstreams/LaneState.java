package io.github.tandemstreams;

/** What a lane does, as far as operators are concerned. Stored with the lane, so it survives restarts and rebalances. */
public enum LaneState {
    /** The lane runs wherever it is assigned. */
    ACTIVE,
    /** An operator paused it. It runs again after {@link StreamOperations#resume}. */
    PAUSED,
    /** An operator stopped it. It runs again after {@link StreamCommand.Action#START}, not when its stream is resumed. */
    STOPPED,
    /** A batch failed and can't go on by itself. It runs again after {@link StreamOperations#resume}. */
    FAILED
}
