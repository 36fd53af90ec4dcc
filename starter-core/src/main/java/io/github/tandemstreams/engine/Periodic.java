package io.github.tandemstreams.engine;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does something again and again, in the background, on a thread of its own. Whatever it throws, it is done again.
 *
 * <p>Threading: may be started and stopped from any thread.
 */
final class Periodic {

    private static final Logger log = LoggerFactory.getLogger(Periodic.class);

    private final String name;
    private final Duration first;
    private final Duration period;
    private final Runnable task;
    private @Nullable ScheduledExecutorService timer;

    /**
     * @param name of the thread
     * @param first time until the first run
     * @param period time from the end of a run to the next
     */
    Periodic(String name, Duration first, Duration period, Runnable task) {
        this.name = name;
        this.first = first;
        this.period = period;
        this.task = task;
    }

    synchronized void start() {
        timer = Executors.newSingleThreadScheduledExecutor(runnable -> Threads.daemon(name, runnable));
        var unused =
                timer.scheduleWithFixedDelay(this::run, first.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void run() {
        try {
            task.run();
        } catch (Throwable unexpected) {
            // The timer would never run it again.
            log.error("Thread '{}' met an error that it doesn't know; next try in {}", name, period, unexpected);
        }
    }

    /**
     * Ends it, also if the caller is interrupted; it stays interrupted then. Waits for a run that has begun, as long as it
     * takes within the limit.
     */
    synchronized void stop(Duration timeout) {
        if (timer == null) {
            return;
        }
        timer.shutdownNow();
        try {
            timer.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        timer = null;
    }
}
