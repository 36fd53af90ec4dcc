package io.github.tandemstreams.postgres;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Rows in the text format of COPY, in UTF-8. */
final class CopyBuffer {

    private byte[] bytes = new byte[512];
    private int size;

    /** A NULL, or a text with whatever means something to COPY escaped. */
    void value(@Nullable String text) {
        if (text == null) {
            ensure(2);
            bytes[size++] = '\\';
            bytes[size++] = 'N';
            return;
        }
        ensure(2 * text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                encoded(text.substring(i));
                return;
            }
            put((byte) c);
        }
    }

    void endOfColumn() {
        ensure(1);
        bytes[size++] = '\t';
    }

    void endOfRow() {
        // In place of the last column's end.
        bytes[size - 1] = '\n';
    }

    int size() {
        return size;
    }

    byte[] bytes() {
        return bytes;
    }

    private void encoded(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        ensure(2 * utf8.length);
        for (byte b : utf8) {
            put(b);
        }
    }

    private void put(byte b) {
        byte escaped = switch (b) {
            case '\\' -> '\\';
            case '\t' -> 't';
            case '\n' -> 'n';
            case '\r' -> 'r';
            default -> 0;
        };
        if (escaped != 0) {
            bytes[size++] = '\\';
            bytes[size++] = escaped;
        } else {
            bytes[size++] = b;
        }
    }

    private void ensure(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
    }
}
