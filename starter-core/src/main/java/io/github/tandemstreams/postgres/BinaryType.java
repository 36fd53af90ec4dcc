package io.github.tandemstreams.postgres;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.ByteConverter;

/**
 * The types whose binary form is known, each as the server's function {@code …_recv} reads it: the length, then the bytes.
 * A value is put only if it comes out as its text would; what is beyond that (another class, a number or a time out of
 * bounds) is left to text, and so is the refusal of what is wrong.
 */
enum BinaryType {
    BOOL {
        @Override
        boolean put(Object value, CopyBytes bytes) {
            if (!(value instanceof Boolean truth)) {
                return false;
            }
            bytes.int32(1);
            bytes.int8(truth ? 1 : 0);
            return true;
        }
    },
    INT2 {
        @Override
        boolean put(Object value, CopyBytes bytes) {
            if (!isWhole(value) || ((Number) value).longValue() != ((Number) value).shortValue()) {
                return false;
            }
            bytes.int32(2);
            bytes.int16(((Number) value).shortValue());
            return true;
        }
    },
    INT4 {
        @Override
        boolean put(Object value, CopyBytes bytes) {
            if (!isWhole(value) || ((Number) value).longValue() != ((Number) value).intValue()) {
                return false;
            }
            bytes.int32(4);
            bytes.int32(((Number) value).intValue());
            return true;
        }
    },
    INT8 {
        @Override
        boolean put(Object value, CopyBytes bytes) {
            if (!isWhole(value)) {
                return false;
            }
            bytes.int32(8);
            bytes.int64(((Number) value).longValue());
            return true;
        }
    },
    FLOAT4 {
        @Override
        boolean put(Object value, CopyBytes bytes) {
            if (!(value instanceof Float number)) {
                return false;
            }
            bytes.int32(4);
            bytes.int32(Float.floatToIntBits(number));
            return true;
        }
    },
    FLOAT8 {
        @Override
        boolean put(Object value, CopyBytes bytes) {
            if (!(value instanceof Double number)) {
                return false;
            }
            bytes.int32(8);
            bytes.int64(Double.doubleToLongBits(number));
            return true;
        }
    },
    NUMERIC {
        @Override
        boolean put(Object value, CopyBytes bytes) {
            if (value instanceof BigDecimal number) {
                return put(number, bytes);
            }
            if (value instanceof BigInteger number) {
                return put(new BigDecimal(number), bytes);
            }
            return isWhole(value) && put(BigDecimal.valueOf(((Number) value).longValue()), bytes);
        }

        private boolean put(BigDecimal number, CopyBytes bytes) {
            if (number.scale() >= 0 && number.precision() <= SMALL_DIGITS && number.scale() <= SMALL_DIGITS) {
                small(number, bytes);
                return true;
            }
            if (number.precision() > MANY_DIGITS || Math.abs(number.scale()) > MANY_DIGITS) {
                return false;
            }
            bytes.counted(ByteConverter.numeric(number));
            return true;
        }

        /** Groups of four decimal digits, from the first that isn't zero; {@code weight} is the power of 10,000 of that one. */
        private void small(BigDecimal number, CopyBytes bytes) {
            long unscaled = Math.abs(number.unscaledValue().longValue());
            int scale = number.scale();
            int fractionGroups = (scale + 3) / 4;
            long one = POWERS_OF_TEN[scale];
            long fraction = unscaled % one * POWERS_OF_TEN[4 * fractionGroups - scale];
            long whole = unscaled / one;
            int wholeGroups = 0;
            for (long rest = whole; rest > 0; rest /= GROUP) {
                wholeGroups++;
            }
            int leadingZeros = 0;
            if (wholeGroups == 0) {
                while (leadingZeros < fractionGroups
                        && fraction < POWERS_OF_TEN[4 * (fractionGroups - leadingZeros - 1)]) {
                    leadingZeros++;
                }
            }
            int groups = wholeGroups + fractionGroups - leadingZeros;
            bytes.int32(8 + 2 * groups);
            bytes.int16(groups);
            bytes.int16(wholeGroups - leadingZeros - 1);
            bytes.int16(number.signum() < 0 ? NEGATIVE : 0);
            bytes.int16(scale);
            for (int group = wholeGroups - 1; group >= 0; group--) {
                bytes.int16((int) (whole / POWERS_OF_TEN[4 * group] % GROUP));
            }
            for (int group = fractionGroups - leadingZeros - 1; group >= 0; group--) {
                bytes.int16((int) (fraction / POWERS_OF_TEN[4 * group] % GROUP));
            }
        }
    },
    TEXT {
        @Override
        boolean put(Object value, CopyBytes bytes) {
            bytes.text(value instanceof String text ? text : PostgresText.of(value));
            return true;
        }
    },
    JSON {
        @Override
        boolean put(Object value, CopyBytes bytes) {
            bytes.text(PostgresText.json(value));
            return true;
        }
    },
    JSONB {
        @Override
        boolean put(Object value, CopyBytes bytes) {
            byte[] text = PostgresText.json(value).getBytes(StandardCharsets.UTF_8);
            bytes.int32(1 + text.length);
            bytes.int8(JSONB_VERSION);
            bytes.all(text);
            return true;
        }
    },
    BYTEA {
        @Override
        boolean put(Object value, CopyBytes bytes) {
            if (!(value instanceof byte[] content)) {
                return false;
            }
            bytes.counted(content);
            return true;
        }
    },
    UUID {
        @Override
        boolean put(Object value, CopyBytes bytes) {
            if (!(value instanceof UUID id)) {
                return false;
            }
            bytes.int32(16);
            bytes.int64(id.getMostSignificantBits());
            bytes.int64(id.getLeastSignificantBits());
            return true;
        }
    },
    DATE {
        @Override
        boolean put(Object value, CopyBytes bytes) {
            if (!(value instanceof LocalDate date) || !isUsual(date.getYear())) {
                return false;
            }
            bytes.int32(4);
            bytes.int32((int) (date.toEpochDay() - EPOCH.toEpochDay()));
            return true;
        }
    },
    TIME {
        @Override
        boolean put(Object value, CopyBytes bytes) {
            return value instanceof LocalTime time && micros(time.toSecondOfDay(), time.getNano(), bytes);
        }
    },
    TIMESTAMP {
        @Override
        boolean put(Object value, CopyBytes bytes) {
            return value instanceof LocalDateTime time
                    && isUsual(time.getYear())
                    && micros(time.toEpochSecond(ZoneOffset.UTC) - EPOCH_SECOND, time.getNano(), bytes);
        }
    },
    TIMESTAMPTZ {
        @Override
        boolean put(Object value, CopyBytes bytes) {
            if (value instanceof ZonedDateTime time) {
                return put(time.toOffsetDateTime(), bytes);
            }
            if (value instanceof OffsetDateTime time) {
                return put(time, bytes);
            }
            return value instanceof Instant time && put(time, bytes);
        }

        private boolean put(OffsetDateTime time, CopyBytes bytes) {
            return Math.abs(time.getOffset().getTotalSeconds()) < OFFSET_SECONDS
                    && isUsual(time.getYear())
                    && put(time.toInstant(), bytes);
        }

        private boolean put(Instant time, CopyBytes bytes) {
            return time.compareTo(FIRST_USUAL) >= 0
                    && time.compareTo(AFTER_USUAL) < 0
                    && micros(time.getEpochSecond() - EPOCH_SECOND, time.getNano(), bytes);
        }
    };

    private static final Map<String, BinaryType> BY_NAME = Map.ofEntries(
            Map.entry("bool", BOOL),
            Map.entry("int2", INT2),
            Map.entry("int4", INT4),
            Map.entry("int8", INT8),
            Map.entry("float4", FLOAT4),
            Map.entry("float8", FLOAT8),
            Map.entry("numeric", NUMERIC),
            Map.entry("text", TEXT),
            Map.entry("varchar", TEXT),
            Map.entry("bpchar", TEXT),
            Map.entry("enum", TEXT),
            Map.entry("json", JSON),
            Map.entry("jsonb", JSONB),
            Map.entry("bytea", BYTEA),
            Map.entry("uuid", UUID),
            Map.entry("date", DATE),
            Map.entry("time", TIME),
            Map.entry("timestamp", TIMESTAMP),
            Map.entry("timestamptz", TIMESTAMPTZ));

    private static final LocalDate EPOCH = LocalDate.of(2000, 1, 1);
    private static final long EPOCH_SECOND = EPOCH.toEpochDay() * 86_400;
    private static final Instant FIRST_USUAL = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant AFTER_USUAL = Instant.parse("9999-12-31T00:00:00Z");

    /** Postgres reads no larger ones. */
    private static final int OFFSET_SECONDS = 16 * 3600;

    private static final int JSONB_VERSION = 1;
    private static final int GROUP = 10_000;
    private static final int NEGATIVE = 0x4000;

    /** With a fraction that is filled up to whole groups these are a long. */
    private static final int SMALL_DIGITS = 15;

    /** Far within what its fields of 16 bits can hold. */
    private static final int MANY_DIGITS = 1_000;

    private static final long[] POWERS_OF_TEN = powersOfTen();

    /** The type of a name in the system catalogue, or {@code enum}; null if no binary form is known. */
    static @Nullable BinaryType named(String name) {
        return BY_NAME.get(name);
    }

    /** Length and bytes of a value. False if there are none, or nobody knows. */
    abstract boolean put(Object value, CopyBytes bytes);

    private static boolean isWhole(Object value) {
        return value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte;
    }

    private static boolean isUsual(int year) {
        return year > 0 && year < 9999;
    }

    /** Microseconds, rounded as Postgres rounds what it reads: the fraction is a floating point number there. */
    private static boolean micros(long seconds, int nanos, CopyBytes bytes) {
        bytes.int32(8);
        bytes.int64(seconds * 1_000_000 + (nanos % 1000 == 0 ? nanos / 1000 : (long) Math.rint(nanos / 1e9 * 1e6)));
        return true;
    }

    private static long[] powersOfTen() {
        long[] powers = new long[19];
        powers[0] = 1;
        for (int i = 1; i < powers.length; i++) {
            powers[i] = 10 * powers[i - 1];
        }
        return powers;
    }
}
