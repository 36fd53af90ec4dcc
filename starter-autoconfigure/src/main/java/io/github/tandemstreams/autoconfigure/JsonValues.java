package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.source.RawRecord;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;

/**
 * JSON, as the application's mapper reads it: one record after the other with the same parser, because to make and to close
 * one takes about as long as to read a small record. The parser sees the end of each record as the end of its input. Where a
 * record isn't exactly one value to it, the record is read once more by itself, so that what comes of it, or what is said
 * against it, is the same as if all were.
 *
 * <p>Threading: belongs to one worker.
 */
final class JsonValues implements Values {

    /** A parser keeps every name it has seen for as long as it lives. */
    private static final int READS_OF_A_PARSER = 1_000;

    private final ObjectReader reader;

    /** It doesn't look beyond the value: that would be the end of the parser. */
    private final ObjectReader inSequence;

    private final boolean sequences;
    private final Feed feed = new Feed();
    private @Nullable JsonParser parser;
    private int reads;

    JsonValues(ObjectReader reader) {
        this.reader = reader;
        this.inSequence = reader.without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        this.sequences = reader.parserFactory().getClass() == JsonFactory.class;
    }

    @Override
    public Object read(RawRecord record, byte[] value) {
        @Nullable Object read = sequences ? inSequence(value) : null;
        if (read == null) {
            read = reader.readValue(value);
        }
        if (read == null) {
            throw new IllegalArgumentException("The value is the JSON literal null");
        }
        return read;
    }

    /** Null if it isn't one value, whole and alone. */
    private @Nullable Object inSequence(byte[] value) {
        feed.next(value);
        JsonParser present = parser;
        @Nullable Object read = null;
        try {
            if (present == null) {
                present = inSequence.createParser(feed);
            }
            parser = null;
            read = inSequence.readValue(present);
            boolean alone = !feed.isOver()
                    && present.streamReadContext().inRoot()
                    && present.currentLocation().getByteOffset() == feed.fed();
            if (alone && ++reads < READS_OF_A_PARSER) {
                parser = present;
            }
            return alone ? read : null;
        } catch (RuntimeException refused) {
            return null;
        } finally {
            if (parser == null) {
                close(present);
            }
        }
    }

    private void close(@Nullable JsonParser used) {
        if (used != null) {
            used.close();
        }
        feed.restart();
        reads = 0;
    }

    /** The input of a parser: one record, and no more until the next one is given. */
    private static final class Feed extends InputStream {

        private byte[] record = {};
        private int position;
        private int end;
        private long fed;
        private boolean over;

        /** White space behind the value is left out: it would wait for the next one. */
        void next(byte[] value) {
            record = value;
            position = 0;
            end = value.length;
            while (end > 0 && isSpace(value[end - 1])) {
                end--;
            }
            over = false;
        }

        private static boolean isSpace(byte b) {
            return b == ' ' || b == '\n' || b == '\r' || b == '\t';
        }

        /** How many bytes were read since the start. */
        long fed() {
            return fed;
        }

        /** Whether more was asked for than there is, after which a parser reads no more. */
        boolean isOver() {
            return over;
        }

        void restart() {
            fed = 0;
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            int count = Math.min(length, end - position);
            if (count <= 0) {
                over = true;
                return -1;
            }
            System.arraycopy(record, position, into, offset, count);
            position += count;
            fed += count;
            return count;
        }
    }
}
