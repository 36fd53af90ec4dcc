package io.github.tandemstreams.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Where the log of a lane ends, as it was told last. More may have arrived since, of which nobody hears while the source
 * can't be reached.
 *
 * @param offset the offset after its last record; empty if it was never told
 * @param toldAt when, as {@link System#nanoTime()} tells it
 * @param behindSince since when it has been beyond the lane's position, if it is still; null if it wasn't then
 */
record LogEnd(OptionalLong offset, long toldAt, @Nullable Long behindSince) {

    /** Nothing was told yet. */
    static final LogEnd UNKNOWN = new LogEnd(OptionalLong.empty(), 0, null);

    /** The end of the year 9999. Producers set timestamps as they like, and Postgres can't hold all of them. */
    private static final long MAX_TIMESTAMP = 253_402_300_799_999L;

    /** The end as it is told now. Where the lane had reached the last one, it is behind only since now. */
    LogEnd then(long end, long position) {
        long now = System.nanoTime();
        Long sinceThen = isBeyond(position) && behindSince != null ? behindSince : Long.valueOf(now);
        return new LogEnd(OptionalLong.of(end), now, end <= position ? null : sinceThen);
    }

    /** The offset, if it was told no longer ago than this. */
    OptionalLong within(Duration age) {
        return age().compareTo(age) > 0 ? OptionalLong.empty() : offset;
    }

    /** Whether there was more than this when it was told: that stays true. */
    boolean isBeyond(long position) {
        return offset.isPresent() && offset.getAsLong() > position;
    }

    /** How long ago it was told. */
    Duration age() {
        return offset.isEmpty() ? Duration.ofDays(1) : Duration.ofNanos(System.nanoTime() - toldAt);
    }

    /** Since when it has been beyond the lane's position while the lane didn't move. */
    Instant behindSince(long movedAt) {
        long now = System.nanoTime();
        long since = behindSince == null ? toldAt : behindSince;
        return Instant.now().minusNanos(Math.min(now - since, now - movedAt));
    }

    /** A record's timestamp; null if it has none that a calendar knows. */
    static @Nullable Instant time(long timestamp) {
        return timestamp < 0 || timestamp > MAX_TIMESTAMP ? null : Instant.ofEpochMilli(timestamp);
    }
}
