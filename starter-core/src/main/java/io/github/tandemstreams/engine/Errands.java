package io.github.tandemstreams.engine;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Runs what a caller waits for on a thread of its own, since handlers must not find what is bound to the caller's: a persistence
 * context that a web request keeps open, for instance, would hand the entities of one dead letter on to the next. Those that are
 * run when the stream is stopped here are told to leave the rest; later ones aren't, until the next stop.
 *
 * <p>Threading: may be used from any thread.
 */
final class Errands {

    private final String name;
    private final Set<Errand<?>> running = ConcurrentHashMap.newKeySet();

    /** @param name of the threads */
    Errands(String name) {
        this.name = name;
    }

    /**
     * Runs it, and returns when it has ended. Who is interrupted meanwhile interrupts it.
     *
     * @param work is given what tells whether to leave the rest
     */
    <T> T run(Function<BooleanSupplier, T> work) {
        Errand<T> errand = new Errand<>(name, work);
        running.add(errand);
        try {
            errand.thread.start();
            return errand.awaitResult();
        } finally {
            running.remove(errand);
        }
    }

    /** Tells those that are run to leave the rest. */
    void stop() {
        running.forEach(errand -> errand.stopped = true);
    }

    /** Stops them and waits for their ends; those that take too long are interrupted, and roll back. */
    void stop(Duration timeout, Duration rollBack) {
        stop();
        List<Errand<?>> ending = List.copyOf(running);
        try {
            join(ending, timeout);
            ending.forEach(errand -> errand.thread.interrupt());
            join(ending, rollBack);
        } catch (InterruptedException hurried) {
            ending.forEach(errand -> errand.thread.interrupt());
            Thread.currentThread().interrupt();
        }
    }

    private static void join(List<Errand<?>> errands, Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        for (Errand<?> errand : errands) {
            errand.thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
        }
    }

    private static final class Errand<T> {

        private final FutureTask<T> task;
        private final Thread thread;
        private volatile boolean stopped;

        Errand(String name, Function<BooleanSupplier, T> work) {
            this.task = new FutureTask<>(() -> work.apply(() -> stopped));
            this.thread = Threads.daemon(name, task);
        }

        T awaitResult() {
            boolean interrupted = false;
            try {
                while (true) {
                    try {
                        return task.get();
                    } catch (InterruptedException hurried) {
                        interrupted = true;
                        thread.interrupt();
                    } catch (ExecutionException failure) {
                        throw unchecked(Objects.requireNonNull(failure.getCause()));
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        private static RuntimeException unchecked(Throwable thrown) {
            if (thrown instanceof Error error) {
                throw error;
            }
            return (RuntimeException) thrown;
        }
    }
}
