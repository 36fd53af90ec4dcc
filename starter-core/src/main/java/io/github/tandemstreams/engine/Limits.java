package io.github.tandemstreams.engine;

/**
 * How much of a stream is taken at a time.
 *
 * @param maxRecordsPerBatch records in a batch; also the records of a group of lanes that share a transaction
 * @param maxBytesPerBatch bytes of keys, values and headers in a batch; a single larger record is a batch of its own
 * @param maxBufferedBytes bytes that an instance buffers ahead over all its lanes of the stream; each lane has an equal share
 */
public record Limits(int maxRecordsPerBatch, long maxBytesPerBatch, long maxBufferedBytes) {

    public static final int DEFAULT_MAX_RECORDS_PER_BATCH = 5000;
    public static final long DEFAULT_MAX_BYTES_PER_BATCH = 16L * 1024 * 1024;
    public static final long DEFAULT_MAX_BUFFERED_BYTES = 64L * 1024 * 1024;

    /** The limits of a stream that sets none. */
    public static final Limits DEFAULT =
            new Limits(DEFAULT_MAX_RECORDS_PER_BATCH, DEFAULT_MAX_BYTES_PER_BATCH, DEFAULT_MAX_BUFFERED_BYTES);

    public Limits {
        positive("max-records-per-batch", maxRecordsPerBatch);
        positive("max-bytes-per-batch", maxBytesPerBatch);
        positive("max-buffered-bytes", maxBufferedBytes);
    }

    private static void positive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + " must be positive, but is " + value);
        }
    }
}
