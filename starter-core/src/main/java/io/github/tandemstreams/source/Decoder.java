package io.github.tandemstreams.source;

import org.jspecify.annotations.Nullable;

/**
 * Reads the value of a record. Called for tombstones too.
 *
 * <p>Threading: one decoder is used by one worker thread at a time.
 *
 * @param <T> type of the value
 */
@FunctionalInterface
public interface Decoder<T extends @Nullable Object> {

    /**
     * Decodes the record's value.
     *
     * @throws Exception if the record can't be decoded; it becomes a dead letter, and the rest of the batch goes on
     */
    T decode(RawRecord record) throws Exception;
}
