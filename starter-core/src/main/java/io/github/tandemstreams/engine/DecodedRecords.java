package io.github.tandemstreams.engine;

import io.github.tandemstreams.StreamRecord;
import io.github.tandemstreams.source.RawRecord;
import java.time.Instant;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** Records with their values, each made when it is asked for: most handlers ask for the values alone. */
final class DecodedRecords<T extends @Nullable Object> extends AbstractList<StreamRecord<T>> implements RandomAccess {

    private final List<RawRecord> raw;
    private final List<T> values;

    /** @param values of the same records, in the same order */
    DecodedRecords(List<RawRecord> raw, List<T> values) {
        this.raw = raw;
        this.values = values;
    }

    static <T extends @Nullable Object> StreamRecord<T> record(RawRecord raw, T value) {
        return new StreamRecord<>(
                value,
                raw.key(),
                Instant.ofEpochMilli(raw.timestamp()),
                raw.headers(),
                raw.topic(),
                raw.partition(),
                raw.offset());
    }

    @Override
    public StreamRecord<T> get(int index) {
        return record(raw.get(index), values.get(index));
    }

    @Override
    public int size() {
        return values.size();
    }
}
