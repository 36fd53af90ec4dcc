package io.github.tandemstreams.dashboard;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a record, for people: text where they are text, otherwise hexadecimal digits.
 *
 * @param bytes how many there are
 * @param text the text; null if they are none
 * @param hex the digits; null if they are text
 * @param cut whether only the first part is shown
 */
record Payload(int bytes, @Nullable String text, @Nullable String hex, boolean cut) {

    /** Bytes that are shown at most. */
    private static final int SHOWN = 64 * 1024;

    static @Nullable Payload of(byte @Nullable [] bytes) {
        if (bytes == null) {
            return null;
        }
        boolean cut = bytes.length > SHOWN;
        byte[] shown = cut ? Arrays.copyOf(bytes, SHOWN) : bytes;
        String text = text(shown, cut);
        return new Payload(bytes.length, text, text == null ? HexFormat.of().formatHex(shown) : null, cut);
    }

    /** Null unless it is UTF-8 without control characters. A cut may go through the last character. */
    private static @Nullable String text(byte[] bytes, boolean cut) {
        for (int without = 0; without < 4 && without <= bytes.length; without++) {
            try {
                String text = StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes, 0, bytes.length - without))
                        .toString();
                return text.chars().allMatch(Payload::isText) ? text : null;
            } catch (CharacterCodingException malformed) {
                if (!cut) {
                    return null;
                }
            }
        }
        return null;
    }

    private static boolean isText(int character) {
        return !Character.isISOControl(character) || character == '\n' || character == '\r' || character == '\t';
    }
}
