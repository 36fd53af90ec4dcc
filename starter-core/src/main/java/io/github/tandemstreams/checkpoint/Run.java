package io.github.tandemstreams.checkpoint;

import io.github.tandemstreams.BatchPhase;
import io.github.tandemstreams.Offsets;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a batch's run went, for people. No decision depends on it.
 *
 * @param startedAt when it began
 * @param duration from then on until its commit statement, or its end once that is known
 * @param phases how long its phases took, those that are over
 * @param attempts runs before that failed, as far as this instance knows
 * @param latest ends of the lane's partitions; null if they aren't known
 * @param traceId id of the trace that it is part of; null if nothing is traced
 */
public record Run(
        Instant startedAt,
        Duration duration,
        Map<BatchPhase, Duration> phases,
        int attempts,
        @Nullable Offsets latest,
        @Nullable String traceId) {

    public Run {
        phases = Map.copyOf(phases);
    }

    /** A run of which nothing else is known. */
    public static Run begunAt(Instant startedAt) {
        return new Run(startedAt, Duration.ZERO, Map.of(), 0, null, null);
    }

    /** The same run after its commit, which took this long. */
    public Run committed(Duration took) {
        Map<BatchPhase, Duration> all = new EnumMap<>(BatchPhase.class);
        all.putAll(phases);
        all.put(BatchPhase.COMMIT, took);
        return new Run(startedAt, duration.plus(took), all, attempts, latest, traceId);
    }
}
