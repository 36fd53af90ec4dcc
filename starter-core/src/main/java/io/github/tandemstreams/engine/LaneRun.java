package io.github.tandemstreams.engine;

import io.github.tandemstreams.BatchPhase;
import io.github.tandemstreams.checkpoint.Run;
import io.github.tandemstreams.sink.DeadLetter;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The part that one lane has in a transaction: its batch, how long each phase took, and its trace.
 *
 * <p>Threading: belongs to one worker.
 */
final class LaneRun<T extends @Nullable Object> {

    final Lane lane;

    private final Instant startedAt;
    private final BatchTracer.Trace trace;
    private final Map<BatchPhase, Duration> phases = new EnumMap<>(BatchPhase.class);
    private @Nullable DecodedBatch<T> batch;

    /** @param start when the transaction's run began, as {@link System#nanoTime()} tells it */
    LaneRun(Lane lane, Instant startedAt, long start, BatchTracer tracer) {
        this.lane = lane;
        this.startedAt = startedAt;
        this.trace = tracer.begin(lane.id.stream(), lane.id.lane(), lane.plan().batch(), lane.inHand);
        took(BatchPhase.PLAN, lane.planning);
        took(BatchPhase.QUEUE, lane.waited(start));
    }

    void decoded(DecodedBatch<T> decoded, Duration took) {
        batch = decoded;
        took(BatchPhase.DECODE, took);
    }

    DecodedBatch<T> batch() {
        return Objects.requireNonNull(batch);
    }

    List<DeadLetter> deadLetters() {
        return batch().deadLetters();
    }

    BatchTracer.Trace trace() {
        return trace;
    }

    /** So much more of a phase. */
    void took(BatchPhase phase, Duration more) {
        phases.merge(phase, more, Duration::plus);
    }

    /** What is known at the commit statement. */
    Run run(Duration duration) {
        return new Run(startedAt, duration, phases, lane.failedRuns(), lane.latest(), trace.id());
    }
}
