package io.github.tandemstreams.engine;

import io.github.tandemstreams.sink.Cause;

/** Counts dead letters that come one after the other, over batches. */
final class DeadRun {

    private final int max;
    private int length;

    /** @param before how many the lane's last batch ended with */
    DeadRun(int max, int before) {
        this.max = max;
        this.length = before;
    }

    /** @throws TooManyDeadLettersException if this is one more than may come in a row */
    void add(Cause cause) {
        if (++length > max) {
            throw new TooManyDeadLettersException(max, cause);
        }
    }

    /** A record that can be processed. */
    void interrupt() {
        length = 0;
    }

    int length() {
        return length;
    }
}
