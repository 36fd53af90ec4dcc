package io.github.tandemstreams.source;

import io.github.tandemstreams.RecordHeader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record as the source holds it.
 *
 * @param topic name of the topic
 * @param partition number of the partition
 * @param offset offset in the partition
 * @param timestamp milliseconds since the epoch; negative if the source has none
 * @param key key bytes, or null
 * @param value value bytes; null for a tombstone
 * @param headers headers in their order
 */
public record RawRecord(
        String topic,
        int partition,
        long offset,
        long timestamp,
        byte @Nullable [] key,
        byte @Nullable [] value,
        List<RecordHeader> headers) {

    /** Bytes of key, value and headers, for limits. */
    public int bytes() {
        int bytes = length(key) + length(value);
        if (headers.isEmpty()) {
            return bytes;
        }
        for (RecordHeader header : headers) {
            bytes += header.name().length() + length(header.value());
        }
        return bytes;
    }

    private static int length(byte @Nullable [] bytes) {
        return bytes == null ? 0 : bytes.length;
    }
}
