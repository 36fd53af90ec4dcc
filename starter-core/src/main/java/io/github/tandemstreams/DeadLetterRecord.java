package io.github.tandemstreams;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record that could not be processed, as it is kept. Bytes are those of the record; null and empty are different things.
 *
 * @param id number of the dead letter, in the order of parking
 * @param stream name of the stream
 * @param lane lane that it came from
 * @param batch batch that it was part of
 * @param topic name of its topic
 * @param topicId identity of the topic; empty if the source couldn't tell
 * @param partition its partition
 * @param offset its offset
 * @param timestamp its timestamp; null if it has none
 * @param key its key, or null
 * @param value its value, or null
 * @param headers its headers, in their order
 * @param causeType class name of what it failed with last
 * @param message message of that; null if it has none
 * @param stackTrace stack trace of that, cut where it is long; null where there is none
 * @param timesParked how often it was parked: more than once after a rewind only
 * @param failedRedrives how often it was run again, and failed again
 * @param status what has become of it
 * @param reason why it was discarded; null if it wasn't
 * @param parkedAt when it was parked last
 */
public record DeadLetterRecord(
        long id,
        String stream,
        String lane,
        long batch,
        String topic,
        String topicId,
        int partition,
        long offset,
        @Nullable Instant timestamp,
        byte @Nullable [] key,
        byte @Nullable [] value,
        List<RecordHeader> headers,
        String causeType,
        @Nullable String message,
        @Nullable String stackTrace,
        int timesParked,
        int failedRedrives,
        Status status,
        @Nullable String reason,
        Instant parkedAt) {

    /** For the log: where it stood and what it failed with; no payload, which may be private. */
    @Override
    public String toString() {
        return "dead letter " + id + ": " + topic + "-" + partition + "@" + offset + ", " + status + ", " + causeType
                + (message == null ? "" : ": " + message.lines().findFirst().orElse(""));
    }

    /** What has become of a dead letter. */
    public enum Status {
        /** It failed, and waits for a decision. */
        PARKED,
        /** A record of the same key is parked, so it waits behind that one. */
        HELD,
        /** It was run again and is processed. */
        REDRIVEN,
        /** It was given up. */
        DISCARDED,
        /** A rewind reads it again. */
        SUPERSEDED
    }
}
