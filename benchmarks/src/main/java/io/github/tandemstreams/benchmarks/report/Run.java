package io.github.tandemstreams.benchmarks.report;

import io.github.tandemstreams.benchmarks.contenders.Said;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one run of one contender gave.
 *
 * @param perSecond records a second, from the first rows on
 * @param secondHalfPerSecond the same of the second half of the records, when what is hot has been compiled; null if the table
 *     doesn't tell
 * @param busySeconds from the first rows to the last commit
 * @param wholeSeconds from the start of the JVM to the last commit
 * @param said what the contender said of itself
 * @param failure why it doesn't count, if it doesn't
 */
public record Run(
        String workload,
        String contender,
        int round,
        double perSecond,
        @Nullable Double secondHalfPerSecond,
        double busySeconds,
        double wholeSeconds,
        Said said,
        @Nullable String failure) {

    /** A run that doesn't count. */
    public static Run failed(String workload, String contender, int round, String failure) {
        return new Run(workload, contender, round, 0, null, 0, 0, new Said(Map.of(), Map.of()), failure);
    }

    /** Likewise, or no number. */
    double secondHalf() {
        return secondHalfPerSecond == null ? Double.NaN : secondHalfPerSecond;
    }

    boolean counts() {
        return failure == null;
    }
}
