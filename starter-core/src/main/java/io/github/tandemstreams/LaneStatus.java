package io.github.tandemstreams;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
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
 * @param problem why the lane failed, as it stands in its row: that may quote what records hold; or why its batch is being tried
 *     again, with nothing of any record; null if all is well
 * @param backlog what waits in the lane
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
        @Nullable String problem,
        Backlog backlog) {

    /**
     * What waits in a lane.
     *
     * @param records records that were read ahead
     * @param bytes their keys, values and headers
     * @param oldest timestamp of the oldest record that isn't committed yet; null if there is none, or it isn't known
     * @param since since when there have been such records while nothing was committed, not counting the time until the
     *     trigger lets a batch begin; for a lane that can't be claimed, since when that has been so. Null if there are no
     *     such records, if that isn't known, or if the lane isn't supposed to run
     */
    public record Backlog(
            int records,
            long bytes,
            @Nullable Instant oldest,
            @Nullable Instant since) {

        /** Nothing, as far as is known. */
        public static final Backlog NONE = new Backlog(0, 0, null, null);
    }

    /** Age of the oldest record that isn't committed yet: zero if all are, never negative, empty while it isn't known. */
    public Optional<Duration> age(Instant now) {
        if (lag.isPresent() && lag.getAsLong() == 0) {
            return Optional.of(Duration.ZERO);
        }
        return Optional.ofNullable(backlog.oldest())
                .map(oldest -> oldest.isAfter(now) ? Duration.ZERO : Duration.between(oldest, now));
    }
}
