package io.github.tandemstreams.engine;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.StreamRecord;
import io.github.tandemstreams.TransactionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some records of a batch, handed to the handler in a transaction that is rolled back. */
final class TrialBatch<T extends @Nullable Object> implements Batch<T> {

    private final DecodedBatch<T> whole;
    private final List<StreamRecord<T>> records;
    private final List<T> values;
    private boolean askedForId;

    TrialBatch(DecodedBatch<T> whole, List<StreamRecord<T>> records, List<T> values) {
        this.whole = whole;
        this.records = records;
        this.values = values;
    }

    /** Whether the handler wanted the transaction id: its effects may be elsewhere, so no trial of it can be undone. */
    boolean askedForId() {
        return askedForId;
    }

    @Override
    public TransactionId transactionId() {
        askedForId = true;
        throw new IllegalStateException(
                "A trial run has no transaction id: it is rolled back, and what a sink outside of"
                        + " the database would do with the id couldn't be (Batch.isTrial)");
    }

    @Override
    public boolean isTrial() {
        return true;
    }

    @Override
    public String stream() {
        return whole.stream();
    }

    @Override
    public String lane() {
        return whole.lane();
    }

    @Override
    public long id() {
        return whole.id();
    }

    @Override
    public OffsetRange range() {
        return whole.range();
    }

    @Override
    public List<T> values() {
        return values;
    }

    @Override
    public List<StreamRecord<T>> records() {
        return records;
    }
}
