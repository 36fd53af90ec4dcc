package io.github.tandemstreams.benchmarks.failover;

import java.util.List;

/**
 * What one run gave.
 *
 * @param worstMillis from the signal to the first commit by the other instance, of the partition that waited longest
 * @param bestMillis likewise, of the one that waited least
 * @param missing records that never became rows. A row can't be there twice: its key refuses it
 */
record TakeOver(double worstMillis, double bestMillis, long missing) {

    List<Double> figures() {
        return List.of(worstMillis, bestMillis, (double) missing);
    }
}
