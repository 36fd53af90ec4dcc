package io.github.tandemstreams.engine;

import io.github.tandemstreams.StreamProgress;
import io.github.tandemstreams.StreamProgressListener;
import io.github.tandemstreams.source.LaneId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells listeners of batches. A listener that throws changes nothing. */
final class ProgressReporter {

    private static final Logger log = LoggerFactory.getLogger(ProgressReporter.class);

    private final List<StreamProgressListener> listeners;
    private final Clock clock;

    ProgressReporter(List<StreamProgressListener> listeners, Clock clock) {
        this.listeners = List.copyOf(listeners);
        this.clock = clock;
    }

    void committed(Result result) {
        LaneId lane = result.lane().id;
        Instant now = clock.instant();
        log.debug(
                "{}: batch {} committed, {}, {} records, {} dead letters",
                lane,
                result.plan().batch(),
                result.plan().range(),
                result.records(),
                result.deadLetters().size());
        StreamProgress progress = new StreamProgress(
                lane.stream(),
                lane.lane(),
                result.plan().batch(),
                result.plan().range(),
                result.records(),
                result.deadLetters().size(),
                now,
                Duration.between(result.startedAt(), now));
        emit(listener -> listener.onCommitted(progress));
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
