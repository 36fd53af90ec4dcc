package io.github.tandemstreams;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A batch that was committed, in the spirit of Spark's {@code StreamingQueryProgress}. Where several lanes share a
 * transaction, {@code duration} and the phases {@link BatchPhase#PLAN} and {@link BatchPhase#COMMIT} are those of all of
 * them.
 *
 * @param stream name of the stream
 * @param lane name of the lane
 * @param batchId id of the batch in its lane
 * @param range offsets that it covered
 * @param latest ends of its partitions, as this instance knew them; null if it didn't
 * @param records records handed to the handler
 * @param deadLetters records that became dead letters
 * @param recordsPerSecondIn its records by the time since the lane's last batch on this instance began, which is the rate at
 *     which they arrive as long as the lane keeps up; empty for the first one
 * @param recordsPerSecondOut its records by {@code duration}: what the lane could process
 * @param phases how long each phase took
 * @param attempts runs before this one that failed, also for a reason that passed by itself
 * @param instance name of this instance
 * @param epoch the lane's epoch
 * @param traceId id of the trace that it was part of; null if nothing is traced
 * @param committedAt when its commit was acknowledged
 * @param duration from the begin of its run to the acknowledged commit
 */
public record StreamProgress(
        String stream,
        String lane,
        long batchId,
        OffsetRange range,
        @Nullable Offsets latest,
        int records,
        int deadLetters,
        OptionalDouble recordsPerSecondIn,
        double recordsPerSecondOut,
        Map<BatchPhase, Duration> phases,
        int attempts,
        String instance,
        long epoch,
        @Nullable String traceId,
        Instant committedAt,
        Duration duration) {

    public StreamProgress {
        phases = Map.copyOf(phases);
    }

    /** How long a phase took; zero for one that there wasn't. */
    public Duration phase(BatchPhase phase) {
        return phases.getOrDefault(phase, Duration.ZERO);
    }

    /** Offsets that were left behind it when it was committed, never negative; empty if that wasn't known. */
    public OptionalLong lag() {
        Offsets known = latest;
        if (known == null) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(range.ends().byPartition().entrySet().stream()
                .mapToLong(end -> Math.max(0, known.byPartition().getOrDefault(end.getKey(), 0L) - end.getValue()))
                .sum());
    }
}
