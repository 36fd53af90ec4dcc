package io.github.tandemstreams.torture.input;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A record of the input. All of it follows from its id, which is its key: whoever reads the key knows which value belongs to
 * it and what must become of it.
 *
 * @param id unique; begins with the kind
 * @param kind what the record does to its reader
 */
public record Message(String id, Kind kind) {

    private static final int LONGEST_PAUSE = 800;

    /** What a record does to its reader. */
    public enum Kind {
        /** Nothing. */
        PLAIN(false),
        /** Its handler takes a while. */
        SLOW(false),
        /** A record without a value. */
        TOMBSTONE(false),
        /** Its value is no JSON. */
        UNDECODABLE(true),
        /** Its handler throws. */
        BAD(true),
        /** A constraint of the database refuses it. */
        REFUSED(true);

        private final boolean parked;

        Kind(boolean parked) {
            this.parked = parked;
        }

        /** Whether it must end as a dead letter. */
        public boolean isParked() {
            return parked;
        }

        String prefix() {
            return name().toLowerCase(Locale.ROOT) + "-";
        }
    }

    /** A new record of a producer. */
    static Message of(Kind kind, String producer, long number) {
        return new Message(kind.prefix() + producer + "-" + number, kind);
    }

    /** The record with this id. */
    public static Message of(String id) {
        int dash = id.indexOf('-');
        if (dash < 0) {
            throw new IllegalArgumentException("'" + id + "' is no id");
        }
        return new Message(id, Kind.valueOf(id.substring(0, dash).toUpperCase(Locale.ROOT)));
    }

    /** The key's bytes. */
    public byte[] key() {
        return id.getBytes(StandardCharsets.UTF_8);
    }

    /** The value's bytes; null for a tombstone. */
    public byte @Nullable [] value() {
        String text = text();
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private @Nullable String text() {
        return switch (kind) {
            case TOMBSTONE -> null;
            case UNDECODABLE -> "{\"id\": \"" + id;
            default -> "{\"id\": \"" + id + "\", \"pause\": " + pause() + "}";
        };
    }

    /** What a handler that was given the record writes of its value; null for a tombstone. */
    public @Nullable String seen() {
        return kind == Kind.TOMBSTONE ? null : id + "/" + pause();
    }

    /** Milliseconds that the handler waits at this record. */
    public int pause() {
        return kind == Kind.SLOW ? 100 + Math.floorMod(id.hashCode(), LONGEST_PAUSE - 100) : 0;
    }
}
