package io.github.tandemstreams.engine;

import io.github.tandemstreams.DeadLetterRecord;
import io.github.tandemstreams.Redrive;
import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.checkpoint.DeadLetterStore;
import io.github.tandemstreams.sink.Cause;
import io.github.tandemstreams.source.Decoder;
import io.github.tandemstreams.source.RawRecord;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionStatus;

/**
 * Runs dead letters through the handler again.
 *
 * <pre>
 *   begin
 *     mark the row as redriven, if it waits            (its lock excludes a second re-drive, a discard, a rewind)
 *     decode, handler(batch of this record)
 *     is the command that it is part of pending still?   (a stop of the stream settles it: then roll back)
 *   commit
 *     no answer -> read the row, which waits for the old transaction: it says which
 *   failed -> in a transaction of its own: the new cause in place of the old one
 * </pre>
 *
 * <p>Threading: belongs to one thread.
 */
final class Redriver<T extends @Nullable Object> {

    private final StreamDefinition<T> stream;
    private final Checkpoint checkpoint;
    private final DeadLetterStore store;
    private final HandlerTransactions transactions;
    private final HandlerCall<T> handler;
    private final Decoder<T> decoder;
    private final BooleanSupplier stopped;
    private final BooleanSupplier wanted;

    /**
     * For dead letters of a command.
     *
     * @param stopped whether it is being ended: then a failure says nothing of the record
     * @param wanted asked in each transaction right before its commit, which it allows or not
     */
    Redriver(StreamDefinition<T> stream, BooleanSupplier stopped, BooleanSupplier wanted) {
        this.stream = stream;
        this.stopped = stopped;
        this.wanted = wanted;
        this.checkpoint = stream.checkpoint();
        this.store = checkpoint.deadLetters();
        this.transactions = new HandlerTransactions(stream);
        this.handler = new HandlerCall<>(stream);
        this.decoder = stream.decoders().get();
    }

    /** For those that no command is about. */
    Redriver(StreamDefinition<T> stream, BooleanSupplier stopped) {
        this(stream, stopped, () -> true);
    }

    Redrive redrive(long id) {
        TransactionStatus transaction = transactions.begin(stream.transactionTimeout());
        try {
            checkpoint.limitIdleTime(stream.transactionTimeout());
            Optional<DeadLetterRecord> letter =
                    store.take(stream.name(), id, stream.failurePolicy().holdKey());
            if (letter.isEmpty()) {
                transactions.rollBack(transaction);
                return notTaken(id);
            }
            process(letter.get(), transaction);
            if (!wanted.getAsBoolean()) {
                transactions.rollBack(transaction);
                return new Redrive(
                        Redrive.Outcome.FAILED, new CancellationException("The command has been settled meanwhile"));
            }
        } catch (Throwable failure) {
            transactions.rollBack(transaction);
            return failed(id, failure);
        }
        try {
            transactions.commit(transaction);
        } catch (Throwable failure) {
            return checkpoint.isInDoubt(failure) ? settle(id, failure) : failed(id, failure);
        }
        return new Redrive(Redrive.Outcome.DONE, null);
    }

    /** A tombstone that the stream skips by now is done as it would be in a batch: the handler isn't called. */
    private void process(DeadLetterRecord letter, TransactionStatus transaction) throws Throwable {
        if (!stream.skips(letter.value())) {
            handle(letter, transaction);
        }
        checkpoint.verify(false);
    }

    private void handle(DeadLetterRecord letter, TransactionStatus transaction) throws Throwable {
        RawRecord raw = new RawRecord(
                letter.topic(),
                letter.partition(),
                letter.offset(),
                letter.timestamp() == null ? -1 : letter.timestamp().toEpochMilli(),
                letter.key(),
                letter.value(),
                letter.headers());
        RedriveBatch<T> batch =
                new RedriveBatch<>(letter, DecodedRecords.record(raw, decoder.decode(raw)), stream.effects());
        handler.run(batch, transaction);
    }

    private Redrive notTaken(long id) {
        boolean waits = store.find(stream.name(), id).filter(Redriver::waits).isPresent();
        return new Redrive(waits ? Redrive.Outcome.BEHIND_ANOTHER : Redrive.Outcome.NOT_WAITING, null);
    }

    private static boolean waits(DeadLetterRecord letter) {
        return letter.status() == DeadLetterRecord.Status.PARKED || letter.status() == DeadLetterRecord.Status.HELD;
    }

    private Redrive settle(long id, Throwable doubt) {
        boolean done = store.find(stream.name(), id)
                .filter(letter -> letter.status() == DeadLetterRecord.Status.REDRIVEN)
                .isPresent();
        return done ? new Redrive(Redrive.Outcome.DONE, null) : new Redrive(Redrive.Outcome.FAILED, doubt);
    }

    /** What passes by itself says nothing of the record: its cause stays as it was. */
    private Redrive failed(long id, Throwable failure) {
        if (stopped.getAsBoolean()) {
            return new Redrive(Redrive.Outcome.FAILED, failure);
        }
        switch (checkpoint.classify(failure)) {
            case TRANSIENT -> checkpoint.recover(failure);
            case TIMED_OUT, FATAL -> {}
            case DATA, HANDLER -> store.redriveFailed(stream.name(), id, Cause.of(failure));
        }
        return new Redrive(Redrive.Outcome.FAILED, failure);
    }
}
