package io.github.tandemstreams.postgres;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Rows in the text format of COPY, in UTF-8. */
final class TextRows {

    private final CopyBytes bytes;

    TextRows(CopyBytes bytes) {
        this.bytes = bytes;
    }

    /** A NULL, or a text with whatever means something to COPY escaped. */
    void column(@Nullable String text) {
        if (text == null) {
            bytes.int8('\\');
            bytes.int8('N');
        } else {
            value(text);
        }
        bytes.int8('\t');
    }

    void endOfRow() {
        // In place of the last column's end.
        bytes.replaceLast('\n');
    }

    private void value(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                for (byte each : text.substring(i).getBytes(StandardCharsets.UTF_8)) {
                    put(each);
                }
                return;
            }
            put(c);
        }
    }

    private void put(int each) {
        int escaped = switch (each) {
            case '\\' -> '\\';
            case '\t' -> 't';
            case '\n' -> 'n';
            case '\r' -> 'r';
            default -> 0;
        };
        if (escaped != 0) {
            bytes.int8('\\');
            bytes.int8(escaped);
        } else {
            bytes.int8(each);
        }
    }
}
