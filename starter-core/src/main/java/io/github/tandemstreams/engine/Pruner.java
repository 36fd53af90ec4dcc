package io.github.tandemstreams.engine;

import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes old rows of the logs, in the background and never in a batch's way. Every instance does it; what is old is
 * computed in the database, so that doesn't matter.
 */
final class Pruner {

    static final Duration PERIOD = Duration.ofSeconds(30);

    private static final Logger log = LoggerFactory.getLogger(Pruner.class);

    private final StreamDefinition<?> stream;
    private final Periodic timer;

    Pruner(StreamDefinition<?> stream) {
        this.stream = stream;
        this.timer = new Periodic("tandem-" + stream.name() + "-pruner", PERIOD, PERIOD, this::prune);
    }

    void start() {
        timer.start();
    }

    void stop(Duration timeout) {
        timer.stop(timeout);
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
