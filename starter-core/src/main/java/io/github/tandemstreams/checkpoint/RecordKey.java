package io.github.tandemstreams.checkpoint;

import java.util.Arrays;

/** The bytes of a record's key, compared by content. */
public final class RecordKey {

    private final byte[] bytes;

    /** @param bytes not copied: must not change */
    public RecordKey(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Not a copy. */
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RecordKey key && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
