package io.github.tandemstreams;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A batch as the logs have it.
 *
 * @param lane name of its lane
 * @param batchId id of the batch in its lane
 * @param generation generation of its transaction id
 * @param range offsets that it covers
 * @param status {@code planned}, {@code committed}, {@code abandoned}, {@code lost} or {@code skipped}
 * @param attempts runs that failed before
 * @param epoch epoch under which it was committed; null while it is planned
 * @param instance instance that committed it; null while it is planned
 * @param records records handed to the handler
 * @param deadLetters records that became dead letters
 * @param recordsPerSecondIn its records by the time since the lane's last committed batch before it began, which is the rate at
 *     which they arrive as long as the lane keeps up; empty where there was no run, or that time isn't known
 * @param recordsPerSecondOut its records by {@code duration}: what the lane could process; empty where there was no run
 * @param plannedAt when its plan was written
 * @param startedAt begin of its run, by the clock of its instance; null where there was none
 * @param committedAt when its commit statement ran; null while it is planned
 * @param duration from the begin of its run until its commit statement, with all lanes that shared its transaction; null where
 *     there was no run
 * @param phases how long its phases took, as far as they were over when it was committed
 * @param traceId id of the trace that it was part of; null if there was none
 */
public record BatchReport(
        String lane,
        long batchId,
        int generation,
        OffsetRange range,
        String status,
        int attempts,
        @Nullable Long epoch,
        @Nullable String instance,
        int records,
        int deadLetters,
        OptionalDouble recordsPerSecondIn,
        OptionalDouble recordsPerSecondOut,
        Instant plannedAt,
        @Nullable Instant startedAt,
        @Nullable Instant committedAt,
        @Nullable Duration duration,
        Map<BatchPhase, Duration> phases,
        @Nullable String traceId) {

    public BatchReport {
        phases = Map.copyOf(phases);
    }
}
