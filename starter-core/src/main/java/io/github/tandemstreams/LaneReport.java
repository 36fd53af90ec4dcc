package io.github.tandemstreams;

import java.time.Instant;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A lane, wherever it runs.
 *
 * @param lane name of the lane
 * @param state what it does
 * @param instance the instance that claimed it last; null if none did
 * @param epoch its fencing number
 * @param lastBatch id of the last batch, -1 if none
 * @param position where the next batch starts
 * @param latest ends of its partitions, as an instance saw them in the last minute; a partition that none has seen is missing
 * @param lag records between the two, never negative; empty while unknown, as for a lane that no instance has held for a
 *     minute, or whose source hasn't answered for as long
 * @param lagSeconds age of the oldest record that isn't committed, in seconds and by its timestamp; of a lane that moved since
 *     that was told, as it was then. Zero without lag, never negative; empty while unknown
 * @param latestAt when the ends were seen; null if none is known
 * @param changedAt when position or state changed last
 * @param problem why it failed; null if it didn't
 */
public record LaneReport(
        String lane,
        LaneState state,
        @Nullable String instance,
        long epoch,
        long lastBatch,
        Offsets position,
        Offsets latest,
        OptionalLong lag,
        OptionalDouble lagSeconds,
        @Nullable Instant latestAt,
        Instant changedAt,
        @Nullable String problem) {}
