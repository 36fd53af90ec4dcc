package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.source.Decoder;
import io.github.tandemstreams.source.RawRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads the value of a record that has one. */
@FunctionalInterface
interface Values {

    Object read(RawRecord record, byte[] value) throws Exception;

    /** The bytes themselves. */
    static Values bytes() {
        return (record, value) -> value;
    }

    /** UTF-8. What isn't can't be decoded, rather than being replaced by question marks. */
    static Values text() {
        return (record, value) -> StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(value))
                .toString();
    }

    /** A decoder that leaves tombstones null. */
    @SuppressWarnings("NullAway") // it doesn't look into type arguments
    default Decoder<@Nullable Object> decoder() {
        return record -> {
            byte[] value = record.value();
            return value == null ? null : read(record, value);
        };
    }
}
