package io.github.tandemstreams.engine;

import io.github.tandemstreams.checkpoint.CommandStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every second what operators want of a stream on all instances: whether it is stopped, and whether a command waits for
 * an instance to carry it out. What changes lanes isn't its business: their workers find out by themselves.
 *
 * <p>Threading: a thread of its own, and another one while it carries out a command, which may take long. {@link #wakeUp} and
 * {@link #stop} may be called from any.
 */
final class CommandWatch {

    private static final Duration PERIOD = Duration.ofSeconds(1);

    private static final Logger log = LoggerFactory.getLogger(CommandWatch.class);

    private final StreamRuntime runtime;
    private final CommandStore commands;
    private final Thread thread;
    private volatile @Nullable Thread carrier;
    private volatile boolean stopped;
    private boolean signalled;

    CommandWatch(StreamRuntime runtime) {
        this.runtime = runtime;
        this.commands = runtime.commands();
        this.thread = Threads.daemon("tandem-" + runtime.name() + "-watch", this::run);
    }

    void start() {
        thread.start();
    }

    /** Looks at once. */
    synchronized void wakeUp() {
        signalled = true;
        notifyAll();
    }

    /** Looks no more; a command that is being carried out is left where another instance can go on. */
    void stop() {
        stopped = true;
        wakeUp();
    }

    /** Waits for what was begun before it was stopped; what takes too long is interrupted and rolled back. */
    void awaitEnd(Duration timeout, Duration rollBack) {
        long millis = Math.max(1, timeout.toMillis());
        try {
            thread.join(millis);
            Thread carrying = carrier;
            if (carrying != null) {
                carrying.join(millis);
                carrying.interrupt();
                carrying.join(rollBack.toMillis());
            }
        } catch (InterruptedException hurried) {
            Thread carrying = carrier;
            if (carrying != null) {
                carrying.interrupt();
            }
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!stopped) {
            try {
                runOnce();
                await();
            } catch (InterruptedException ended) {
                return;
            } catch (RuntimeException unreachable) {
                log.debug("Stream '{}': orders couldn't be read; next try soon", runtime.name(), unreachable);
                pause();
            } catch (Throwable unexpected) {
                log.error(
                        "Stream '{}': the look at its orders met an error that it doesn't know; next try soon",
                        runtime.name(),
                        unexpected);
                pause();
            }
        }
    }

    private void runOnce() {
        CommandStore.Orders orders = commands.orders(runtime.name());
        runtime.obey(this, orders.stopped());
        Thread carrying = carrier;
        if (orders.pending().isPresent() && (carrying == null || !carrying.isAlive())) {
            long id = orders.pending().getAsLong();
            Thread next = Threads.daemon("tandem-" + runtime.name() + "-command", () -> carryOut(id));
            carrier = next;
            next.start();
        }
    }

    private void carryOut(long id) {
        try {
            commands.take(runtime.name(), id).ifPresent(command -> {
                log.info("Stream '{}': carries out command {}: {}", runtime.name(), id, command.command());
                runtime.carryOut(command, () -> stopped);
            });
        } catch (RuntimeException later) {
            log.warn(
                    "Stream '{}': command {} couldn't be carried out, and is tried again: {}",
                    runtime.name(),
                    id,
                    later.toString());
        }
    }

    private synchronized void await() throws InterruptedException {
        if (!signalled && !stopped) {
            wait(PERIOD.toMillis());
        }
        signalled = false;
    }

    /** Whoever nudges can't make it ask a database faster that doesn't answer. */
    private void pause() {
        try {
            TimeUnit.NANOSECONDS.sleep(PERIOD.toNanos());
        } catch (InterruptedException ended) {
            stopped = true;
        }
    }
}
