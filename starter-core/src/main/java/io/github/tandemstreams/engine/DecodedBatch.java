package io.github.tandemstreams.engine;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.Effects;
import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.StreamRecord;
import io.github.tandemstreams.Tombstones;
import io.github.tandemstreams.TransactionId;
import io.github.tandemstreams.checkpoint.Plan;
import io.github.tandemstreams.sink.DeadLetter;
import io.github.tandemstreams.source.Decoder;
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.source.RawRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A batch with its records decoded, and the records that could not be. Made anew for each attempt.
 *
 * @param deadLetters the records that could not be decoded
 */
record DecodedBatch<T extends @Nullable Object>(
        LaneId laneId,
        Plan plan,
        Effects effects,
        List<StreamRecord<T>> records,
        List<T> values,
        List<DeadLetter> deadLetters)
        implements Batch<T> {

    /** Decodes what the lane's plan covers. */
    static <T extends @Nullable Object> DecodedBatch<T> of(Lane lane, Decoder<T> decoder, StreamDefinition<T> stream) {
        List<RawRecord> raw = lane.inHand;
        List<StreamRecord<T>> records = new ArrayList<>(raw.size());
        List<T> values = new ArrayList<>(raw.size());
        List<DeadLetter> deadLetters = new ArrayList<>();
        for (RawRecord record : raw) {
            if (record.value() == null && stream.tombstones() == Tombstones.SKIP) {
                continue;
            }
            try {
                StreamRecord<T> decoded = decoded(record, decoder.decode(record));
                records.add(decoded);
                values.add(decoded.value());
            } catch (Exception | StackOverflowError | LinkageError undecodable) {
                deadLetters.add(new DeadLetter(record, undecodable));
            }
        }
        return new DecodedBatch<>(
                lane.id,
                lane.plan(),
                stream.effects(),
                Collections.unmodifiableList(records),
                Collections.unmodifiableList(values),
                List.copyOf(deadLetters));
    }

    private static <T extends @Nullable Object> StreamRecord<T> decoded(RawRecord record, T value) {
        return new StreamRecord<>(
                value,
                record.key(),
                Instant.ofEpochMilli(record.timestamp()),
                record.headers(),
                record.topic(),
                record.partition(),
                record.offset());
    }

    @Override
    public String stream() {
        return laneId.stream();
    }

    @Override
    public String lane() {
        return laneId.lane();
    }

    @Override
    public long id() {
        return plan.batch();
    }

    @Override
    public OffsetRange range() {
        return plan.range();
    }

    @Override
    public TransactionId transactionId() {
        if (effects == Effects.DATABASE) {
            throw new IllegalStateException(
                    "The handler of stream '" + stream() + "' declares effects = DATABASE, so its batches may be cut"
                            + " elsewhere in a replay and have no transaction id. Remove the declaration to get one.");
        }
        return new TransactionId(stream() + "/" + lane() + "/" + plan.generation(), id());
    }

    @Override
    public boolean isTrial() {
        return false;
    }
}
