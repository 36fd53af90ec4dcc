package io.github.tandemstreams.engine;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Batches of a stream run beside each other on an instance, a search for bad records runs alone: part by part, its trials
 * take the handler's row locks in another order than the handler does for a whole batch, and would deadlock with those of
 * other lanes.
 *
 * <p>Threading: one for each worker, over a lock that they share.
 */
final class SearchLock {

    private final ReadWriteLock shared;
    private final BooleanSupplier stopping;

    /** @param stopping whether an interruption of the thread is meant; else a handler left it behind */
    SearchLock(ReadWriteLock shared, BooleanSupplier stopping) {
        this.shared = shared;
        this.stopping = stopping;
    }

    /** @throws InterruptedException if the stream is being stopped */
    <R> R besideOthers(Supplier<R> batch) throws InterruptedException {
        return under(shared.readLock(), batch);
    }

    /** @throws InterruptedException if the stream is being stopped */
    <R> R alone(Supplier<R> trials) throws InterruptedException {
        return under(shared.writeLock(), trials);
    }

    private <R> R under(Lock lock, Supplier<R> work) throws InterruptedException {
        acquire(lock);
        try {
            if (stopping.getAsBoolean()) {
                throw new InterruptedException("The stream was stopped meanwhile");
            }
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    private void acquire(Lock lock) throws InterruptedException {
        while (true) {
            try {
                lock.lockInterruptibly();
                return;
            } catch (InterruptedException interrupted) {
                if (stopping.getAsBoolean()) {
                    throw interrupted;
                }
            }
        }
    }
}
