package io.github.tandemstreams.engine;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Does something again and again, in the background, on a thread of its own. What is done lets no exception through.
 *
 * <p>Threading: may be started and stopped from any thread.
 */
final class Periodic {

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
        var unused = timer.scheduleWithFixedDelay(task, first.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Waits for a run that has begun, as long as it takes within the limit. */
    synchronized void stop(Duration timeout) throws InterruptedException {
        if (timer != null) {
            timer.shutdownNow();
            timer.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS);
            timer = null;
        }
    }
}
