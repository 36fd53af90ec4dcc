package io.github.tandemstreams;

import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One micro-batch: a planned range of offsets of one lane, with the records found in it. Immutable.
 *
 * @param <T> type of the values
 */
public interface Batch<T extends @Nullable Object> extends Iterable<T> {

    /** Name of the stream. */
    String stream();

    /** Name of the lane: the topic-partition, such as {@code flights-3}. */
    String lane();

    /**
     * Number of the batch in its lane: 0, 1, 2 and so on. It counts <em>per lane</em>: to deduplicate an effect use
     * {@link #transactionId()}, never this number alone.
     */
    long id();

    /**
     * What a sink outside the database stores to make its effect idempotent.
     *
     * @throws IllegalStateException if the handler declared {@link Effects#DATABASE}, or in a trial run
     */
    TransactionId transactionId();

    /** The offsets that the batch covers. The same in every replay of {@link #transactionId()}. */
    OffsetRange range();

    /**
     * The values in offset order. A tombstone holds its place as null, unless the stream skips tombstones. A record that
     * could not be decoded isn't here: it is a dead letter, written in this transaction.
     */
    List<T> values();

    /** The same records with key, timestamp, headers and offset. */
    List<StreamRecord<T>> records();

    /** Whether this run only finds out which record is to blame, and is rolled back in any case. */
    boolean isTrial();

    /** Number of records. */
    default int size() {
        return records().size();
    }

    @Override
    default Iterator<T> iterator() {
        return values().iterator();
    }
}
