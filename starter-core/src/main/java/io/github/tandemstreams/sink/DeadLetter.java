package io.github.tandemstreams.sink;

import io.github.tandemstreams.source.RawRecord;

/**
 * A record that could not be processed, kept with its bytes and the cause.
 *
 * @param record the record as it was read
 * @param cause why it could not be processed
 */
public record DeadLetter(RawRecord record, Throwable cause) {}
