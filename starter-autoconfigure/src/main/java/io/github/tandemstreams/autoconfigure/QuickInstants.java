package io.github.tandemstreams.autoconfigure;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.ext.javatime.deser.InstantDeserializer;

/**
 * Reads instants as nearly all are written, {@code 2026-01-31T10:15:30.123Z}, digit by digit. The formatter that Jackson
 * leaves it to takes as long for one of them as Jackson does for all the rest of a small record. Whatever else there is,
 * and whatever is no instant, is left to Jackson still.
 */
final class QuickInstants extends ValueDeserializerModifier {

    private static final long serialVersionUID = 1;

    /** An application may have a deserializer of its own, or a format. */
    @Override
    public ValueDeserializer<?> modifyDeserializer(
            DeserializationConfig config, BeanDescription.Supplier type, ValueDeserializer<?> deserializer) {
        return deserializer == InstantDeserializer.INSTANT ? new Quick() : deserializer;
    }

    /** The instant, if this is the most usual way to write it; else null. */
    static @Nullable Instant parse(String text) {
        int length = text.length();
        if (length < 20
                || length > 30
                || length == 21
                || text.charAt(4) != '-'
                || text.charAt(7) != '-'
                || text.charAt(10) != 'T'
                || text.charAt(13) != ':'
                || text.charAt(16) != ':'
                || (length > 20 && text.charAt(19) != '.')
                || text.charAt(length - 1) != 'Z') {
            return null;
        }
        int year = number(text, 0, 4);
        int month = number(text, 5, 7);
        int day = number(text, 8, 10);
        int hour = number(text, 11, 13);
        int minute = number(text, 14, 16);
        int second = number(text, 17, 19);
        int nanos = length == 20 ? 0 : number(text, 20, length - 1);
        if ((year | month | day | hour | minute | second | nanos) < 0 || hour > 23 || minute > 59 || second > 59) {
            return null;
        }
        for (int digits = length - 21; digits > 0 && digits < 9; digits++) {
            nanos *= 10;
        }
        try {
            long days = LocalDate.of(year, month, day).toEpochDay();
            return Instant.ofEpochSecond(((days * 24 + hour) * 60 + minute) * 60 + second, nanos);
        } catch (DateTimeException noSuchDay) {
            return null;
        }
    }

    /** Negative if there is anything but digits. */
    private static int number(String text, int start, int end) {
        int number = 0;
        for (int i = start; i < end; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }

    /** With a format or a leniency it makes one of Jackson's own of itself. */
    private static final class Quick extends InstantDeserializer<Instant> {

        Quick() {
            super(INSTANT, DateTimeFormatter.ISO_INSTANT);
        }

        @Override
        protected Instant _fromString(JsonParser parser, DeserializationContext context, String text) {
            Instant instant = parse(text);
            return instant == null ? super._fromString(parser, context, text) : instant;
        }
    }
}
