package io.github.tandemstreams.engine;

import io.github.tandemstreams.sink.Cause;

/** More records in a row can't be processed than may be parked: the fault is hardly the records'. */
final class TooManyDeadLettersException extends EngineException {

    TooManyDeadLettersException(int max, Cause last) {
        super(
                "more than " + max
                        + " records in a row can't be processed (max-consecutive-dead-letters), which looks like a"
                        + " fault of the reader or the database and not of the records; none of this batch is parked. The last"
                        + " one: " + last.type(),
                last.message() == null ? "" : ": " + last.message(),
                null);
    }
}
