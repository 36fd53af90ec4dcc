package io.github.tandemstreams.benchmarks.latency;

import org.jspecify.annotations.Nullable;

/**
 * What one run gave, in milliseconds.
 *
 * @param rate records a second
 * @param failure why it doesn't count, if it doesn't
 */
record LatencyResult(
        String contender,
        int rate,
        int round,
        double p50,
        double p99,
        double max,
        @Nullable String failure) {

    static LatencyResult failed(String contender, int rate, int round, String failure) {
        return new LatencyResult(contender, rate, round, 0, 0, 0, failure);
    }

    boolean counts() {
        return failure == null;
    }
}
