package io.github.tandemstreams.simulation;

import io.github.tandemstreams.source.LaneId;
import java.util.List;

/**
 * Primary key of a row.
 *
 * @param table type of the rows of its table
 * @param columns the key's columns
 */
record Key<R>(Class<R> table, List<Object> columns) {

    static Key<Rows.Stream> stream(String stream) {
        return new Key<>(Rows.Stream.class, List.of(stream));
    }

    static Key<Rows.Lane> lane(LaneId lane) {
        return new Key<>(Rows.Lane.class, List.of(lane));
    }

    static Key<Rows.Planned> planned(LaneId lane, long batch) {
        return new Key<>(Rows.Planned.class, List.of(lane, batch));
    }

    static Key<Rows.Committed> committed(LaneId lane, long batch) {
        return new Key<>(Rows.Committed.class, List.of(lane, batch));
    }

    static Key<Rows.Parked> parked(String stream, String topicId, String topic, int partition, long offset) {
        return new Key<>(Rows.Parked.class, List.of(stream, topicId, topic, partition, offset));
    }

    /** No two effects have the same key, so that a record that was processed twice is seen twice. */
    static Key<Rows.Effect> effect(long number) {
        return new Key<>(Rows.Effect.class, List.of(number));
    }
}
