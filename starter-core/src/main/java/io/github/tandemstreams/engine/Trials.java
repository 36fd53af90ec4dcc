package io.github.tandemstreams.engine;

import io.github.tandemstreams.RecordFailedException;
import io.github.tandemstreams.StreamRecord;
import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.checkpoint.ConnectionLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.NestedTransactionNotSupportedException;
import org.springframework.transaction.TransactionStatus;

/**
 * Runs parts of a batch, one after the other, in one transaction that is rolled back at the end: a part sees what those
 * before it wrote.
 *
 * <p>Threading: belongs to one worker.
 */
final class Trials<T extends @Nullable Object> implements AutoCloseable {

    private final HandlerCall<T> handler;
    private final Checkpoint checkpoint;
    private final DecodedBatch<T> batch;
    private final boolean checkDeferred;
    private final HandlerTransactions transactions;
    private final TransactionStatus transaction;

    /**
     * @param checkDeferred whether each part must also pass what the database checks at COMMIT
     * @param transaction rolled back when the trials are closed
     */
    Trials(
            HandlerCall<T> handler,
            Checkpoint checkpoint,
            DecodedBatch<T> batch,
            boolean checkDeferred,
            HandlerTransactions transactions,
            TransactionStatus transaction) {
        this.handler = handler;
        this.checkpoint = checkpoint;
        this.batch = batch;
        this.checkDeferred = checkDeferred;
        this.transactions = transactions;
        this.transaction = transaction;
    }

    /** How a part ended that failed. */
    record Failure(Throwable cause, OptionalInt named) {}

    /** The transaction can't go back to an earlier point, such as one of JPA. */
    static final class NoSavepointsException extends RuntimeException {
        NoSavepointsException(Throwable cause) {
            super(cause);
        }
    }

    /** The handler asked for a transaction id, so it can't be tried. */
    static final class AsksForIdException extends RuntimeException {
        AsksForIdException(String lane) {
            super(lane + ": the handler asks for the transaction id in a trial run");
        }
    }

    /** The point to go back to if the next part fails. */
    Object savepoint() {
        try {
            return transaction.createSavepoint();
        } catch (NestedTransactionNotSupportedException unsupported) {
            throw new NoSavepointsException(unsupported);
        }
    }

    void rollBackTo(Object savepoint) {
        transaction.rollbackToSavepoint(savepoint);
    }

    /**
     * Runs these records.
     *
     * @param from index of the first one, in the batch
     * @param to index after the last one
     * @return how they failed, with the index in the batch of the record that the handler blames; null if they ran
     * @throws AsksForIdException if the handler can't be tried
     */
    @Nullable
    Failure run(int from, int to) {
        return run(batch.records().subList(from, to), batch.values().subList(from, to), from);
    }

    /** Runs the records of the batch that are chosen, as one part. */
    @Nullable
    Failure run(Function<StreamRecord<T>, Boolean> chosen) {
        List<StreamRecord<T>> records = new ArrayList<>();
        List<T> values = new ArrayList<>();
        for (StreamRecord<T> record : batch.records()) {
            if (chosen.apply(record)) {
                records.add(record);
                values.add(record.value());
            }
        }
        return run(records, values, 0);
    }

    private @Nullable Failure run(List<StreamRecord<T>> records, List<T> values, int from) {
        if (records.isEmpty()) {
            return null;
        }
        TrialBatch<T> part = new TrialBatch<>(batch, List.copyOf(records), values);
        Throwable failure = write(part);
        if (part.askedForId()) {
            throw new AsksForIdException(batch.lane());
        }
        if (failure == null) {
            return null;
        }
        OptionalInt named = failure instanceof RecordFailedException names ? names.indexIn(part) : OptionalInt.empty();
        return new Failure(failure, named.isPresent() ? OptionalInt.of(from + named.getAsInt()) : named);
    }

    private @Nullable Throwable write(TrialBatch<T> part) {
        try {
            handler.run(part, transaction);
            checkpoint.verify(checkDeferred);
            return null;
        } catch (Throwable failure) {
            // A handler may swallow the error that tells of a lost connection, and throw one that tells nothing.
            return checkpoint.answers() ? failure : new ConnectionLostException(failure);
        }
    }

    @Override
    public void close() {
        transactions.rollBack(transaction);
    }
}
