package io.github.tandemstreams.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes old rows of the logs, in the background and never in a batch's way. Every instance does it; what is old is
 * computed in the database, so that doesn't matter.
 *
 * <p>After many batches it comes sooner than else: tens of thousands of rows at once would hold up the commits of that moment,
 * which have to flush what was written before them.
 */
final class Pruner {

    private static final Duration PERIOD = Duration.ofSeconds(30);

    private static final Duration SOONEST = Duration.ofSeconds(1);

    private static final int MANY_BATCHES = 1_000;

    private static final Logger log = LoggerFactory.getLogger(Pruner.class);

    private final StreamDefinition<?> stream;
    private final LongSupplier batches;
    private final Periodic timer;
    private long batchesBefore;
    private long lastNanos = System.nanoTime();

    /** @param batches how many were committed here until now */
    Pruner(StreamDefinition<?> stream, LongSupplier batches) {
        this.stream = stream;
        this.batches = batches;
        this.timer = new Periodic("tandem-" + stream.name() + "-pruner", SOONEST, SOONEST, this::look);
    }

    void start() {
        timer.start();
    }

    void stop(Duration timeout) {
        timer.stop(timeout);
    }

    private void look() {
        long now = batches.getAsLong();
        if (now - batchesBefore >= MANY_BATCHES || System.nanoTime() - lastNanos >= PERIOD.toNanos()) {
            prune();
            batchesBefore = now;
            lastNanos = System.nanoTime();
        }
    }

    private void prune() {
        try {
            int deleted = stream.checkpoint().prune(stream.name(), stream.batchesToRetain());
            if (stream.deadLetterRetention() != null) {
                Instant before = Instant.now().minus(stream.deadLetterRetention());
                deleted += stream.checkpoint().deadLetters().prune(stream.name(), before);
            }
            log.debug("Stream '{}': {} old rows deleted", stream.name(), deleted);
        } catch (RuntimeException nextTime) {
            log.debug("Stream '{}': old log rows couldn't be deleted; next try in {}", stream.name(), PERIOD, nextTime);
        }
    }
}
