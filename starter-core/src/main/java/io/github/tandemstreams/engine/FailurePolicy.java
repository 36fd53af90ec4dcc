package io.github.tandemstreams.engine;

/**
 * What happens to a batch that fails.
 *
 * @param maxAttempts how often a batch is run whose handler fails, before its lane stops as failed
 * @param backoff the waits between
 * @param failOnDataLoss whether a lane fails when offsets that it has yet to read are gone; otherwise the gap is recorded
 *     and the lane goes on after it
 */
public record FailurePolicy(int maxAttempts, Backoff backoff, boolean failOnDataLoss) {

    public static final int DEFAULT_MAX_ATTEMPTS = 3;

    /** Three attempts, the default back-off, and no data lost in silence. */
    public static final FailurePolicy DEFAULT = new FailurePolicy(DEFAULT_MAX_ATTEMPTS, Backoff.DEFAULT, true);

    public FailurePolicy {
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("max-attempts must be at least 1, but is " + maxAttempts);
        }
    }
}
