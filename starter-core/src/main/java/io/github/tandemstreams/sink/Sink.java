package io.github.tandemstreams.sink;

import io.github.tandemstreams.Batch;
import org.jspecify.annotations.Nullable;

/**
 * What a batch is written to.
 *
 * <p>Threading: called on worker threads, inside the batch's transaction; batches of one lane come in order, batches of
 * different lanes may come at the same time.
 *
 * @param <T> type of the values
 */
@FunctionalInterface
public interface Sink<T extends @Nullable Object> {

    /**
     * Writes the batch. What it writes through the running Spring transaction is committed together with the batch id.
     *
     * @throws Throwable anything thrown rolls the batch back
     */
    void write(Batch<T> batch) throws Throwable;
}
