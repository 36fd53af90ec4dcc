package io.github.tandemstreams.engine;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.Effects;
import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.StreamRecord;
import io.github.tandemstreams.TransactionId;
import io.github.tandemstreams.checkpoint.Plan;
import io.github.tandemstreams.checkpoint.RecordKey;
import io.github.tandemstreams.checkpoint.Verdict;
import io.github.tandemstreams.sink.Cause;
import io.github.tandemstreams.sink.DeadLetter;
import io.github.tandemstreams.source.Decoder;
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.source.RawRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A batch with its records decoded, without those that could not be and those that its verdict parks. Made anew for each
 * attempt.
 *
 * @param deadLetters the records left out
 * @param deadInARow how many dead letters the lane ends with after this batch
 */
record DecodedBatch<T extends @Nullable Object>(
        LaneId laneId,
        Plan plan,
        Effects effects,
        List<StreamRecord<T>> records,
        List<T> values,
        List<DeadLetter> deadLetters,
        int deadInARow)
        implements Batch<T> {

    private static final Cause HELD = new Cause(
            "io.github.tandemstreams.HeldBehindKey", "A record of the same key is parked and comes first", null);

    /**
     * Decodes what the lane's plan covers.
     *
     * @throws TooManyDeadLettersException if more records in a row are left out than may be
     */
    static <T extends @Nullable Object> DecodedBatch<T> of(Lane lane, Decoder<T> decoder, StreamDefinition<T> stream) {
        return of(lane, decoder, stream, lane.trouble.verdict().orElse(Verdict.NONE), lane.inHand);
    }

    /**
     * Decodes some of what the lane's plan covers.
     *
     * @param verdict the records that are left out, undecoded
     * @throws TooManyDeadLettersException if more records in a row are left out than may be
     */
    static <T extends @Nullable Object> DecodedBatch<T> of(
            Lane lane, Decoder<T> decoder, StreamDefinition<T> stream, Verdict verdict, List<RawRecord> raw) {
        Map<Long, Cause> guilty = verdict.of(lane.partition());
        DeadRun dead = new DeadRun(stream.failurePolicy().maxConsecutiveDeadLetters(), lane.deadInARow);
        List<RawRecord> decoded = new ArrayList<>(raw.size());
        List<T> values = new ArrayList<>(raw.size());
        List<DeadLetter> deadLetters = new ArrayList<>();
        Set<RecordKey> heldKeys = new HashSet<>(lane.heldKeys);
        boolean holdKey = stream.failurePolicy().holdKey();
        for (RawRecord record : raw) {
            if (stream.skips(record.value())) {
                continue;
            }
            RecordKey key = holdKey && record.key() != null ? new RecordKey(record.key()) : null;
            if (key != null && heldKeys.contains(key)) {
                deadLetters.add(new DeadLetter(record, HELD, true));
                continue;
            }
            Cause cause = guilty.isEmpty() ? null : guilty.get(record.offset());
            if (cause != null) {
                deadLetters.add(new DeadLetter(record, cause));
                dead.add(cause);
                hold(key, heldKeys);
                continue;
            }
            try {
                values.add(decoder.decode(record));
                decoded.add(record);
                dead.interrupt();
            } catch (Throwable undecodable) {
                if (undecodable instanceof Error error && Isolation.isDeath(error)) {
                    throw error;
                }
                DeadLetter letter = DeadLetter.of(record, undecodable);
                deadLetters.add(letter);
                dead.add(letter.cause());
                hold(key, heldKeys);
            }
        }
        return new DecodedBatch<>(
                lane.id,
                lane.plan(),
                stream.effects(),
                new DecodedRecords<>(decoded, values),
                Collections.unmodifiableList(values),
                List.copyOf(deadLetters),
                dead.length());
    }

    private static void hold(@Nullable RecordKey key, Set<RecordKey> heldKeys) {
        if (key != null) {
            heldKeys.add(key);
        }
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
            throw noTransactionId(stream());
        }
        return new TransactionId(stream() + "/" + lane() + "/" + plan.generation(), id());
    }

    static IllegalStateException noTransactionId(String stream) {
        return new IllegalStateException(
                "The handler of stream '" + stream + "' declares effects = DATABASE, so its"
                        + " batches may be cut elsewhere in a replay and have no transaction id. Remove the declaration to get one.");
    }

    @Override
    public boolean isTrial() {
        return false;
    }
}
