package io.github.tandemstreams.kafka;

import io.github.tandemstreams.source.LaneListener;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The partitions that Kafka has assigned to one consumer. Each one that is revoked, lost or left over at the consumer's
 * end is told to the listener once.
 *
 * <p>Threading: the consumer's thread; {@link #close()} any.
 */
final class HeldLanes {

    private final LaneListener listener;
    private final Map<TopicPartition, HeldLane> lanes = new ConcurrentHashMap<>();
    private volatile boolean closed;

    HeldLanes(LaneListener listener) {
        this.listener = listener;
    }

    void assign(TopicPartition partition) {
        release(partition);
        if (closed) {
            return;
        }
        try {
            lanes.put(partition, new HeldLane(partition, listener.assigned(LaneNames.of(partition))));
        } catch (RuntimeException refused) {
            listener.revoked(LaneNames.of(partition));
            throw refused;
        }
    }

    void release(TopicPartition partition) {
        if (lanes.remove(partition) != null) {
            listener.revoked(LaneNames.of(partition));
        }
    }

    /** Gives all lanes back; no other is taken after that. */
    void close() {
        closed = true;
        lanes.keySet().forEach(this::release);
    }

    @Nullable
    HeldLane get(TopicPartition partition) {
        return lanes.get(partition);
    }

    Collection<HeldLane> all() {
        return lanes.values();
    }
}
