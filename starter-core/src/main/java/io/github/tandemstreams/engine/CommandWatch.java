package io.github.tandemstreams.engine;

import io.github.tandemstreams.checkpoint.CommandStore;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every second what operators want of a stream on all instances: whether it is stopped, and whether a command waits for
 * an instance to carry it out. What changes lanes isn't its business: their workers find out by themselves.
 *
 * <p>Threading: a thread of its own, and another one while it carries out a command, which may take long: one for rewinds, which
 * wait for the source, and one for re-drives, behind which no rewind shall wait. {@link #wakeUp} and {@link #stop} may be called
 * from any.
 */
final class CommandWatch {

    private static final Duration PERIOD = Duration.ofSeconds(1);

    /** What this instance can't do now others may, and it itself after a while. */
    private static final Duration REST = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(CommandWatch.class);

    private final StreamRuntime runtime;
    private final CommandStore commands;
    private final Thread thread;

    /** Until when, by the nano time, each command rests that was tried here in vain. */
    private final Map<Long, Long> rests = new ConcurrentHashMap<>();

    private final Carrier rewinds = new Carrier();
    private final Carrier redrives = new Carrier();
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

    /** It couldn't be carried out here, and is pending still. */
    void putOff(long id) {
        rests.put(id, System.nanoTime() + REST.toNanos());
    }

    /** Looks no more; a command that is being carried out is left where another instance can go on. */
    void stop() {
        stopped = true;
        wakeUp();
    }

    /** Waits for what was begun before it was stopped; what takes too long is interrupted and rolled back. */
    void awaitEnd(Duration timeout, Duration rollBack) {
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            join(thread, deadline);
            for (Carrier carrier : List.of(rewinds, redrives)) {
                join(carrier.thread, deadline);
            }
            for (Carrier carrier : List.of(rewinds, redrives)) {
                carrier.interrupt();
                join(carrier.thread, System.nanoTime() + rollBack.toNanos());
            }
        } catch (InterruptedException hurried) {
            rewinds.interrupt();
            redrives.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    private static void join(@Nullable Thread thread, long deadline) throws InterruptedException {
        if (thread != null) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
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
        rewinds.carryOut(orders.rewinds());
        redrives.carryOut(orders.redrives());
        rests.keySet()
                .removeIf(id -> sinceRest(id) >= 0
                        && !orders.rewinds().contains(id)
                        && !orders.redrives().contains(id));
    }

    /** Nanoseconds since its rest was over, negative while it rests; of one that wasn't tried more than of any other. */
    private long sinceRest(long id) {
        Long until = rests.get(id);
        return until == null ? Long.MAX_VALUE : System.nanoTime() - until;
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
                    later.getClass().getName());
        }
    }

    /** Carries out one command at a time. */
    private final class Carrier {

        private volatile @Nullable Thread thread;

        /** The first of those that weren't tried or have rested longest, unless it is at another one. */
        void carryOut(List<Long> pending) {
            Thread carrying = thread;
            if (carrying == null || !carrying.isAlive()) {
                pending.stream()
                        .filter(id -> sinceRest(id) >= 0)
                        .min(Comparator.comparingLong(id -> -sinceRest(id)))
                        .ifPresent(this::begin);
            }
        }

        private void begin(long id) {
            Thread next = Threads.daemon("tandem-" + runtime.name() + "-command", () -> CommandWatch.this.carryOut(id));
            thread = next;
            next.start();
        }

        void interrupt() {
            Thread carrying = thread;
            if (carrying != null) {
                carrying.interrupt();
            }
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
