package io.github.tandemstreams.sample;

import io.github.tandemstreams.StreamOperations;
import io.github.tandemstreams.StreamProgress;
import io.github.tandemstreams.StreamProgressListener;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Says once a second what was done, while there is something to say. */
@Component
@EnableScheduling
@ConditionalOnBooleanProperty(name = "sample.consume", matchIfMissing = true)
class ProgressLine implements StreamProgressListener {

    private static final Logger log = LoggerFactory.getLogger(ProgressLine.class);

    private final ObjectProvider<StreamOperations> streams;
    private final AtomicLong records = new AtomicLong();
    private long before;
    private long since = System.nanoTime();

    /** @param streams asked for late: the streams themselves tell this listener of their batches */
    ProgressLine(ObjectProvider<StreamOperations> streams) {
        this.streams = streams;
    }

    @Override
    public void onCommitted(StreamProgress progress) {
        records.addAndGet(progress.records());
    }

    @Scheduled(fixedRate = 1000)
    void print() {
        long now = records.get();
        long time = System.nanoTime();
        OptionalLong lag = lag();
        boolean moved = now > before;
        boolean behind = lag.orElse(0) > 0;
        if (moved || behind) {
            // Of a batch that took longer than a second all records come at once.
            long rate = Math.round((now - before) * 1e9 / (time - since));
            log.info("{} records, {}/s, lag {}", now, rate, lag.isPresent() ? lag.getAsLong() : "unknown");
        }
        if (moved || !behind) {
            before = now;
            since = time;
        }
    }

    private OptionalLong lag() {
        StreamOperations operations = streams.getIfAvailable();
        return operations == null
                ? OptionalLong.empty()
                : operations.status(FlightTopic.NAME).lag();
    }
}
