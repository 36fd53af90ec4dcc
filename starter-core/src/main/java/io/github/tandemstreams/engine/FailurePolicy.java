package io.github.tandemstreams.engine;

import io.github.tandemstreams.OnFailure;

/**
 * What happens to a batch that fails.
 *
 * @param maxAttempts how often a batch is tried whose handler fails, before a record is to blame or the lane fails; where
 *     bad records are parked, the last try is the search for them, which runs each record once more
 * @param backoff the waits between
 * @param onFailure what happens then
 * @param maxConsecutiveDeadLetters how many dead letters a lane may have in a row, over batches: with one more it fails, and
 *     none of the batch is parked
 * @param holdKey whether records wait behind a dead letter of the same key, so that the order of each key survives
 * @param failOnDataLoss whether a lane fails when offsets that it has yet to read are gone; otherwise the gap is recorded
 *     and the lane goes on after it
 */
public record FailurePolicy(
        int maxAttempts,
        Backoff backoff,
        OnFailure onFailure,
        int maxConsecutiveDeadLetters,
        boolean holdKey,
        boolean failOnDataLoss) {

    public static final int DEFAULT_MAX_ATTEMPTS = 3;
    public static final int DEFAULT_MAX_CONSECUTIVE_DEAD_LETTERS = 100;

    /** Three attempts, the default back-off, bad records parked, and no data lost in silence. */
    public static final FailurePolicy DEFAULT = new FailurePolicy(
            DEFAULT_MAX_ATTEMPTS,
            Backoff.DEFAULT,
            OnFailure.DEAD_LETTER,
            DEFAULT_MAX_CONSECUTIVE_DEAD_LETTERS,
            false,
            true);

    public FailurePolicy {
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("max-attempts must be at least 1, but is " + maxAttempts);
        }
        if (maxConsecutiveDeadLetters < 0) {
            throw new IllegalArgumentException(
                    "max-consecutive-dead-letters must not be negative, but is " + maxConsecutiveDeadLetters);
        }
    }

    /** How often a batch fails as a whole before its bad records are looked for. */
    int runsBeforeSearch() {
        return Math.max(1, maxAttempts - 1);
    }
}
