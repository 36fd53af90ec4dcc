package io.github.tandemstreams.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How many records the next batch may take. Where a batch should last a certain time, their number follows what the last
 * ones took, as rate estimators do that hold a stream at the pace of its sink:
 *
 * <pre>
 *   a full batch was shorter or longer:  size * target / its time, at most twice and at least half of the size
 *   another one was longer:              the same
 *   always:                              1 to max-records-per-batch
 * </pre>
 *
 * <p>A batch that was planned already keeps its range.
 *
 * <p>Threading: belongs to one worker.
 */
final class BatchSize {

    /** Few enough for a slow handler, and doubled with each batch that turns out short. */
    private static final int FIRST = 500;

    private static final double MOST_AT_ONCE = 2;

    private final int max;
    private final @Nullable Duration target;
    private int records;

    /** @param target how long a batch should last; null if it may be as large as it may */
    BatchSize(int max, @Nullable Duration target) {
        this.max = max;
        this.target = target;
        this.records = target == null ? max : Math.min(FIRST, max);
    }

    /** The most that a batch may take now. */
    int records() {
        return records;
    }

    /** So many records were committed, after this time. */
    void measured(int committed, Duration lasted) {
        if (target == null || (committed < records && lasted.compareTo(target) < 0)) {
            return;
        }
        double factor = (double) target.toNanos() / Math.max(1, lasted.toNanos());
        double bounded = Math.max(1 / MOST_AT_ONCE, Math.min(MOST_AT_ONCE, factor));
        records = (int) Math.max(1, Math.min(max, Math.round(records * bounded)));
    }
}
