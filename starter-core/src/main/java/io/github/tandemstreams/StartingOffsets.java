package io.github.tandemstreams;

import java.time.Instant;
import java.time.format.DateTimeParseException;

/**
 * Where the lanes of a stream start that exist when it is started for the first time. Resolved once for each lane and then
 * stored; a change of the setting later has no effect on them. A partition that a topic gains later starts at its earliest
 * offset.
 */
public sealed interface StartingOffsets {

    /** The first offset that the topic still has: nothing is skipped. */
    record Earliest() implements StartingOffsets {
        @Override
        public String toString() {
            return "earliest";
        }
    }

    /** The end of the topic: only what is written from now on. */
    record Latest() implements StartingOffsets {
        @Override
        public String toString() {
            return "latest";
        }
    }

    /** The first record with this timestamp or a later one; the end of a partition that has none. */
    record AtTimestamp(Instant instant) implements StartingOffsets {
        @Override
        public String toString() {
            return "timestamp:" + instant;
        }
    }

    /**
     * Where a consumer group stands: the way to move here from a {@code @KafkaListener}. A partition for which the group has
     * no offset starts at its earliest.
     */
    record OfGroup(String groupId) implements StartingOffsets {
        @Override
        public String toString() {
            return "group:" + groupId;
        }
    }

    /**
     * Reads {@code earliest}, {@code latest}, {@code timestamp:<ISO instant>} or {@code group:<group id>}.
     *
     * @throws IllegalArgumentException for anything else
     */
    static StartingOffsets parse(String text) {
        String trimmed = text.trim();
        if (trimmed.equalsIgnoreCase("earliest")) {
            return new Earliest();
        }
        if (trimmed.equalsIgnoreCase("latest")) {
            return new Latest();
        }
        if (trimmed.startsWith("timestamp:")) {
            return new AtTimestamp(instant(trimmed.substring("timestamp:".length())));
        }
        if (trimmed.startsWith("group:") && trimmed.length() > "group:".length()) {
            return new OfGroup(trimmed.substring("group:".length()));
        }
        throw new IllegalArgumentException("'" + text
                + "' is no starting offset: use earliest, latest, timestamp:<ISO instant> or group:<group id>");
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException notAnInstant) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no ISO instant such as 2026-01-31T00:00:00Z", notAnInstant);
        }
    }
}
