package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StreamRecord;
import io.github.tandemstreams.TransactionId;
import java.util.List;

/** A batch of some values. */
record TestBatch(List<Object> values) implements Batch<Object> {

    static Batch<Object> of(Object... values) {
        return new TestBatch(List.of(values));
    }

    @Override
    public String stream() {
        return "orders";
    }

    @Override
    public String lane() {
        return "orders-0";
    }

    @Override
    public long id() {
        return 7;
    }

    @Override
    public TransactionId transactionId() {
        return new TransactionId("orders/orders-0/0", 7);
    }

    @Override
    public OffsetRange range() {
        return new OffsetRange(Offsets.none(), Offsets.none());
    }

    @Override
    public List<StreamRecord<Object>> records() {
        return List.of();
    }

    @Override
    public int size() {
        return values.size();
    }

    @Override
    public boolean isTrial() {
        return false;
    }
}
