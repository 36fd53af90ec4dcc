package io.github.tandemstreams.engine;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.DeadLetterRecord;
import io.github.tandemstreams.Effects;
import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.StreamRecord;
import io.github.tandemstreams.TransactionId;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A batch of one dead letter. Its transaction id is its own, never one of a lane. */
final class RedriveBatch<T extends @Nullable Object> implements Batch<T> {

    private final DeadLetterRecord letter;
    private final StreamRecord<T> record;
    private final Effects effects;

    RedriveBatch(DeadLetterRecord letter, StreamRecord<T> record, Effects effects) {
        this.letter = letter;
        this.record = record;
        this.effects = effects;
    }

    @Override
    public TransactionId transactionId() {
        if (effects == Effects.DATABASE) {
            throw DecodedBatch.noTransactionId(stream());
        }
        return new TransactionId(
                stream() + "/dead-letter/" + letter.topicId() + "/" + letter.partition() + "-" + letter.offset(),
                letter.timesParked());
    }

    @Override
    public String stream() {
        return letter.stream();
    }

    @Override
    public String lane() {
        return letter.lane();
    }

    @Override
    public long id() {
        return letter.batch();
    }

    @Override
    public OffsetRange range() {
        return OffsetRange.of(letter.topic() + "-" + letter.partition(), letter.offset(), letter.offset() + 1);
    }

    @Override
    public List<T> values() {
        return Collections.singletonList(record.value());
    }

    @Override
    public List<StreamRecord<T>> records() {
        return List.of(record);
    }

    @Override
    public boolean isTrial() {
        return false;
    }
}
