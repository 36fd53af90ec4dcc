package io.github.tandemstreams;

import java.time.Duration;

/** When the batches of a stream start. */
public sealed interface Trigger {

    /** A batch starts as soon as there are records. */
    static Trigger asSoonAsPossible() {
        return new AsSoonAsPossible();
    }

    /**
     * Each lane starts at most one batch for each interval; a batch that takes longer than the interval is followed by the
     * next at once.
     */
    static Trigger processingTime(Duration interval) {
        return new ProcessingTime(interval);
    }

    /** See {@link #asSoonAsPossible()}. */
    record AsSoonAsPossible() implements Trigger {}

    /** See {@link #processingTime(Duration)}. */
    record ProcessingTime(Duration interval) implements Trigger {
        public ProcessingTime {
            if (interval.isNegative() || interval.isZero()) {
                throw new IllegalArgumentException("The trigger's interval must be positive, but is " + interval);
            }
        }
    }
}
