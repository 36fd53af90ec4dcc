package io.github.tandemstreams.sink;

import io.github.tandemstreams.source.RawRecord;

/**
 * A record that could not be processed, kept with its bytes and the cause.
 *
 * @param record the record as it was read
 * @param cause why it could not be processed
 * @param held whether it waits behind a dead letter of the same key, and hasn't been tried itself
 */
public record DeadLetter(RawRecord record, Cause cause, boolean held) {

    /** A record that failed. */
    public DeadLetter(RawRecord record, Cause cause) {
        this(record, cause, false);
    }

    /** A record that an exception is to blame for. */
    public static DeadLetter of(RawRecord record, Throwable failure) {
        return new DeadLetter(record, Cause.of(failure));
    }
}
