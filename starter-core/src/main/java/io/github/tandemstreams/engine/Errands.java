package io.github.tandemstreams.engine;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * Runs what a caller waits for on a thread of its own, since handlers must not find what is bound to the caller's: a persistence
 * context that a web request keeps open, for instance, would hand the entities of one dead letter on to the next.
 *
 * <p>Threading: may be used from any thread.
 */
final class Errands {

    private final String name;

    /** @param name of the threads */
    Errands(String name) {
        this.name = name;
    }

    /** Runs it, and returns when it has ended. Who is interrupted meanwhile interrupts it. */
    <T> T run(Supplier<T> work) {
        Errand<T> errand = new Errand<>(name, work);
        errand.thread.start();
        return errand.awaitResult();
    }

    private static final class Errand<T> {

        private final FutureTask<T> task;
        private final Thread thread;

        Errand(String name, Supplier<T> work) {
            this.task = new FutureTask<>(work::get);
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
                        throw unchecked(failure.getCause());
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
