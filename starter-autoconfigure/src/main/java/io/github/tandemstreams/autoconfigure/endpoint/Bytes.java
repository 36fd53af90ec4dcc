package io.github.tandemstreams.autoconfigure.endpoint;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Bytes for JSON.
 *
 * @param base64 the bytes
 * @param text the same as text; null if they aren't UTF-8
 */
record Bytes(String base64, @Nullable String text) {

    static @Nullable Bytes of(byte @Nullable [] bytes) {
        return bytes == null ? null : new Bytes(Base64.getEncoder().encodeToString(bytes), text(bytes));
    }

    private static @Nullable String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException binary) {
            return null;
        }
    }
}
