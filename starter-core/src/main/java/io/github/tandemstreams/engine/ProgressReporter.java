package io.github.tandemstreams.engine;

import io.github.tandemstreams.StreamProgress;
import io.github.tandemstreams.StreamProgressListener;
import io.github.tandemstreams.checkpoint.Run;
import io.github.tandemstreams.source.LaneId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells listeners of batches. A listener that throws changes nothing. */
final class ProgressReporter {

    private static final Logger log = LoggerFactory.getLogger(ProgressReporter.class);

    private final List<StreamProgressListener> listeners;
    private final String instance;
    private final Clock clock;
    private final LongAdder batches = new LongAdder();

    /** @param instance name of this instance */
    ProgressReporter(List<StreamProgressListener> listeners, String instance, Clock clock) {
        this.listeners = List.copyOf(listeners);
        this.instance = instance;
        this.clock = clock;
    }

    void started(String stream) {
        emit(listener -> listener.onStarted(stream));
    }

    void stopped(String stream) {
        emit(listener -> listener.onStopped(stream));
    }

    /** @param lastStart when the lane's last batch on this instance began; null if there was none */
    void committed(Result result, @Nullable Instant lastStart) {
        LaneId lane = result.lane().id;
        batches.increment();
        log.debug(
                "{}: batch {} committed, {}, {} records, {} dead letters",
                lane,
                result.plan().batch(),
                result.plan().range(),
                result.records(),
                result.deadLetters().size());
        if (listeners.isEmpty()) {
            return;
        }
        Run run = result.run();
        StreamProgress progress = new StreamProgress(
                lane.stream(),
                lane.lane(),
                result.plan().batch(),
                result.plan().range(),
                run.latest(),
                result.records(),
                result.deadLetters().size(),
                lastStart == null
                        ? OptionalDouble.empty()
                        : perSecond(result.records(), Duration.between(lastStart, run.startedAt())),
                perSecond(result.records(), run.duration()).orElse(0),
                run.phases(),
                run.attempts(),
                instance,
                result.epoch(),
                run.traceId(),
                clock.instant(),
                run.duration());
        emit(listener -> listener.onCommitted(progress));
    }

    /** How many were committed until now. */
    long batches() {
        return batches.sum();
    }

    private static OptionalDouble perSecond(int records, Duration time) {
        return time.isZero() || time.isNegative()
                ? OptionalDouble.empty()
                : OptionalDouble.of(records * 1e9 / time.toNanos());
    }

    void idle(LaneId lane) {
        emit(listener -> listener.onIdle(lane.stream(), lane.lane()));
    }

    void retry(LaneId lane, Throwable cause) {
        emit(listener -> listener.onRetry(lane.stream(), lane.lane(), cause));
    }

    void fenced(LaneId lane) {
        emit(listener -> listener.onFenced(lane.stream(), lane.lane()));
    }

    void failed(LaneId lane, String problem) {
        emit(listener -> listener.onFailed(lane.stream(), lane.lane(), problem));
    }

    private void emit(Consumer<StreamProgressListener> event) {
        for (StreamProgressListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (Throwable broken) {
                log.warn("A StreamProgressListener threw; the stream goes on", broken);
            }
        }
    }
}
