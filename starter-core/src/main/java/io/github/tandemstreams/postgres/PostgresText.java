package io.github.tandemstreams.postgres;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.Temporal;
import java.util.Collection;
import java.util.Date;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Values as Postgres reads them from text. */
final class PostgresText {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private PostgresText() {}

    /**
     * The value for a column of this type.
     *
     * @throws IllegalArgumentException if nothing is known of such values
     */
    static @Nullable String of(@Nullable Object value, TableColumns.Type type) {
        if (value == null) {
            return null;
        }
        if (type.isJson()) {
            return json(value);
        }
        if (type.isLocal() && isInstant(value)) {
            throw new IllegalArgumentException("The column has no time zone and would ignore that of " + value
                    + "; give it a LocalDateTime, or make it a timestamptz");
        }
        return of(value);
    }

    /** A text is taken for JSON. */
    static String json(Object value) {
        return value instanceof CharSequence ? value.toString() : JSON.writeValueAsString(value);
    }

    private static boolean isInstant(Object value) {
        return value instanceof Instant
                || value instanceof OffsetDateTime
                || value instanceof ZonedDateTime
                || value.getClass() == Date.class;
    }

    /**
     * The value for a column of any type that has no text of its own.
     *
     * @throws IllegalArgumentException if nothing is known of such values
     */
    static String of(Object value) {
        if (value instanceof String text) {
            return text;
        }
        if (value instanceof BigDecimal number) {
            return number.toPlainString();
        }
        if (value instanceof Number) {
            return value.toString();
        }
        if (value instanceof Instant instant) {
            // Several times as fast as its own text, which goes through a formatter.
            return text(instant.atOffset(ZoneOffset.UTC));
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof byte[] bytes) {
            return "\\x" + HexFormat.of().formatHex(bytes);
        }
        if (value instanceof java.util.Date date) {
            return text(date);
        }
        if (value instanceof ZonedDateTime time) {
            return of(time.toOffsetDateTime());
        }
        if (value instanceof Temporal time) {
            return text(time);
        }
        if (value instanceof Collection<?> elements) {
            return array(elements.toArray());
        }
        if (value.getClass().isArray()) {
            return array(value);
        }
        if (value instanceof Boolean
                || value instanceof Character
                || value instanceof UUID
                || value instanceof Duration
                || value instanceof Period
                || value instanceof CharSequence) {
            return value.toString();
        }
        throw new IllegalArgumentException(
                "There is no text for a " + value.getClass().getName() + " in Postgres; give the column another value");
    }

    /** java.sql's dates are dates without a zone, and have no instant. */
    private static String text(Date date) {
        return date.getClass() == Date.class ? date.toInstant().toString() : date.toString();
    }

    /** Java writes a plus before a year of five digits, Postgres doesn't read it. */
    private static String text(Temporal time) {
        String text = time.toString();
        return text.startsWith("+") ? text.substring(1) : text;
    }

    private static String array(Object elements) {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < Array.getLength(elements); i++) {
            if (i > 0) {
                text.append(',');
            }
            Object element = Array.get(elements, i);
            if (element == null) {
                text.append("NULL");
            } else if (element instanceof Collection<?>
                    || (element.getClass().isArray() && !(element instanceof byte[]))) {
                text.append(of(element));
            } else {
                quote(text, of(element));
            }
        }
        return text.append('}').toString();
    }

    private static void quote(StringBuilder text, String element) {
        text.append('"');
        for (int i = 0; i < element.length(); i++) {
            char c = element.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\');
            }
            text.append(c);
        }
        text.append('"');
    }
}
