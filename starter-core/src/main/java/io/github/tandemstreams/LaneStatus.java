package io.github.tandemstreams;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A lane that this instance holds.
 *
 * @param lane name of the lane
 * @param state what the lane does
 * @param claimed whether this instance has claimed it yet
 * @param epoch its fencing number as this instance knows it
 * @param lastBatch id of the last batch committed, -1 if none
 * @param position where the next batch starts
 * @param lag records not committed yet, never negative; empty while unknown
 * @param retries how often the batch in hand was tried again so far
 * @param problem why the lane failed, or why its batch is being tried again; null if all is well
 */
public record LaneStatus(
        String lane,
        LaneState state,
        boolean claimed,
        long epoch,
        long lastBatch,
        Offsets position,
        OptionalLong lag,
        int retries,
        @Nullable String problem) {}
