package io.github.tandemstreams.checkpoint;

import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.source.LaneId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a lane's partitions end, as the instance that holds it saw them.
 *
 * @param lane the lane
 * @param position where it stood before the ends were looked at
 * @param ends offsets after the last record that can be read
 * @param oldest timestamp of the first record after the position; null if there is none, or it isn't known
 */
public record LaneEnd(
        LaneId lane,
        Offsets position,
        Offsets ends,
        @Nullable Instant oldest) {}
