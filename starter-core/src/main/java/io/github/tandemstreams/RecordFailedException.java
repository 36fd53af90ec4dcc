package io.github.tandemstreams;

import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler that knows which record it failed on. The batch rolls back as with any exception; when the records to
 * blame are looked for, this one is tried first. It is a hint: a record is parked only if it fails when it is tried.
 */
public class RecordFailedException extends RuntimeException {

    private final int index;
    private final transient @Nullable StreamRecord<?> record;

    /**
     * Names a record of the batch.
     *
     * @param record as it stands in {@link Batch#records()}
     * @param cause what happened
     */
    public RecordFailedException(StreamRecord<?> record, @Nullable Throwable cause) {
        super(
                "The handler failed on the record at " + record.topic() + "-" + record.partition() + "@"
                        + record.offset(),
                cause);
        this.index = -1;
        this.record = record;
    }

    /**
     * Names a record by its place.
     *
     * @param index place in {@link Batch#values()}, or in the handler's list; one outside of it names nothing
     * @param cause what happened
     */
    public RecordFailedException(int index, @Nullable Throwable cause) {
        super("The handler failed on the record at index " + index, cause);
        this.index = index;
        this.record = null;
    }

    /** Place of the record in {@code batch}; empty if it isn't there. */
    public OptionalInt indexIn(Batch<?> batch) {
        StreamRecord<?> named = record;
        if (named == null) {
            return index >= 0 && index < batch.size() ? OptionalInt.of(index) : OptionalInt.empty();
        }
        for (int i = 0; i < batch.size(); i++) {
            StreamRecord<?> candidate = batch.records().get(i);
            if (candidate.offset() == named.offset()
                    && candidate.partition() == named.partition()
                    && candidate.topic().equals(named.topic())) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }
}
