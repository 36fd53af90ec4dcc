package io.github.tandemstreams.postgres;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Rows in the binary format of COPY, which spares Postgres the reading of text. */
final class BinaryRows {

    private static final byte[] SIGNATURE = "PGCOPY\n\377\r\n\0".getBytes(StandardCharsets.ISO_8859_1);
    private static final int NO_FLAGS = 0;
    private static final int NO_EXTENSION = 0;
    private static final int NULL = -1;
    private static final int END = -1;

    private final CopyBytes bytes;
    private final int columns;

    BinaryRows(CopyBytes bytes, int columns) {
        this.bytes = bytes;
        this.columns = columns;
        bytes.all(SIGNATURE);
        bytes.int32(NO_FLAGS);
        bytes.int32(NO_EXTENSION);
    }

    void beginRow() {
        bytes.int16(columns);
    }

    /** A NULL or a value. False if the type has no bytes for it; then these rows are of no use any more. */
    boolean column(@Nullable Object value, BinaryType type) {
        if (value == null) {
            bytes.int32(NULL);
            return true;
        }
        return type.put(value, bytes);
    }

    void end() {
        bytes.int16(END);
    }
}
