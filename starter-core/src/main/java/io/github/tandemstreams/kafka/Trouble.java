package io.github.tandemstreams.kafka;

import io.github.tandemstreams.source.LaneListener;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.apache.kafka.common.errors.ApiException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What keeps the consumer from reading: told once, not for each retry, and taken back once. A poll that returns nothing
 * proves little (a connection that will be refused may just be on its way), so the trouble is over when records arrive,
 * or after a while without a failure.
 *
 * <p>Threading: any thread.
 */
final class Trouble {

    private static final Logger log = LoggerFactory.getLogger(Trouble.class);
    private static final long QUIET_NANOS = Duration.ofSeconds(5).toNanos();

    private final ConsumerSettings settings;
    private final LaneListener listener;
    private final LongSupplier nanoTime;
    private @Nullable String told;
    private long quietSince;

    Trouble(ConsumerSettings settings, LaneListener listener) {
        this(settings, listener, System::nanoTime);
    }

    /** @param nanoTime in place of {@link System#nanoTime()} */
    Trouble(ConsumerSettings settings, LaneListener listener, LongSupplier nanoTime) {
        this.settings = settings;
        this.listener = listener;
        this.nanoTime = nanoTime;
    }

    /** Another consumer begins. That its forerunner hasn't failed since it ended proves nothing. */
    synchronized void begins() {
        quietSince = nanoTime.getAsLong();
    }

    synchronized void found(String problem) {
        quietSince = nanoTime.getAsLong();
        if (!problem.equals(told)) {
            told = problem;
            log.warn(problem);
            listener.troubled(problem);
        }
    }

    /** The brokers know nothing of us, or don't let us in. */
    void refused(ApiException refusal) {
        found("Kafka at " + settings.bootstrapServers() + " refuses the consumer of group '" + settings.groupId()
                + "': " + refusal.getMessage() + ". It must be able to log in, and needs READ on group '"
                + settings.groupId() + "', and READ and DESCRIBE on topics " + settings.topics()
                + ". It is tried again until that works");
    }

    /** The consumer is about to poll again. */
    synchronized void polling() {
        if (told != null && nanoTime.getAsLong() - quietSince > QUIET_NANOS) {
            over();
        }
    }

    /** Kafka was read. */
    synchronized void over() {
        if (told != null) {
            log.info("Kafka can be read again. It couldn't, because: {}", told);
            told = null;
            listener.recovered();
        }
    }

    /** What is worth telling: the outer exceptions say only where it was met. */
    static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
