package io.github.tandemstreams.postgres;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What COPY is sent: bytes, of which there is always room for more. Numbers are big-endian, as Postgres has them. */
final class CopyBytes {

    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private byte[] bytes;
    private int size;

    /** @param expected how many there will be, as far as is known */
    CopyBytes(int expected) {
        bytes = new byte[expected];
    }

    void int8(int value) {
        ensure(1);
        bytes[size++] = (byte) value;
    }

    void int16(int value) {
        ensure(2);
        SHORT.set(bytes, size, (short) value);
        size += 2;
    }

    void int32(int value) {
        ensure(4);
        INT.set(bytes, size, value);
        size += 4;
    }

    void int64(long value) {
        ensure(8);
        LONG.set(bytes, size, value);
        size += 8;
    }

    void all(byte[] more) {
        ensure(more.length);
        System.arraycopy(more, 0, bytes, size, more.length);
        size += more.length;
    }

    /** The number of its bytes in UTF-8, then those. Mostly they are its characters, and no array in between is needed. */
    void text(String text) {
        int length = text.length();
        ensure(4 + length);
        int start = size + 4;
        for (int i = 0; i < length; i++) {
            char character = text.charAt(i);
            if (character >= 0x80) {
                counted(text.getBytes(StandardCharsets.UTF_8));
                return;
            }
            bytes[start + i] = (byte) character;
        }
        int32(length);
        size += length;
    }

    /** The number of these bytes, then they themselves. */
    void counted(byte[] value) {
        int32(value.length);
        all(value);
    }

    /** Puts another one in the place of the last. */
    void replaceLast(int value) {
        bytes[size - 1] = (byte) value;
    }

    /** Makes room for so many. */
    void ensure(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
    }

    int size() {
        return size;
    }

    /** The array that they stand in, from its beginning. */
    byte[] array() {
        return bytes;
    }
}
