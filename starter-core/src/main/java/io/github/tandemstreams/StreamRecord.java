package io.github.tandemstreams;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record with its value decoded.
 *
 * @param value the decoded value; null for a tombstone
 * @param key the key's bytes; null if the record has none
 * @param timestamp the record's timestamp as the topic keeps it
 * @param headers all headers in their order
 * @param topic name of the topic
 * @param partition number of the partition
 * @param offset offset in the partition
 * @param <V> type of the value
 */
public record StreamRecord<V extends @Nullable Object>(
        V value,
        byte @Nullable [] key,
        Instant timestamp,
        List<RecordHeader> headers,
        String topic,
        int partition,
        long offset) {

    public StreamRecord {
        headers = List.copyOf(headers);
    }

    /** The key read as UTF-8; null if the record has none. */
    public @Nullable String keyAsString() {
        return key == null ? null : new String(key, StandardCharsets.UTF_8);
    }

    /** Whether the record has a null value. */
    public boolean isTombstone() {
        return value == null;
    }
}
