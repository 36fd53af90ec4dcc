package io.github.tandemstreams.dashboard;

import io.github.tandemstreams.BatchPhase;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a stream did around a moment. What isn't known is null.
 *
 * @param at milliseconds since 1970
 * @param inputRate records per second that arrived in Kafka
 * @param processRate records per second that were processed
 * @param lag records that wait
 * @param records records of a batch, on average over those committed since the sample before
 * @param duration milliseconds of a batch, likewise
 * @param phases milliseconds of a batch by phase, likewise
 */
record Sample(
        long at,
        @Nullable Double inputRate,
        @Nullable Double processRate,
        @Nullable Long lag,
        @Nullable Double records,
        @Nullable Double duration,
        Map<BatchPhase, Double> phases) {}
