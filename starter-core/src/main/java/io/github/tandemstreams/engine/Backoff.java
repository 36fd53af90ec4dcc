package io.github.tandemstreams.engine;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Exponential back-off with jitter: the n-th wait is between half and the whole of {@code initial * 2^(n-1)}, never above
 * {@code max}. The jitter keeps instances that failed together from coming back together.
 *
 * @param initial first wait
 * @param max longest wait
 */
public record Backoff(Duration initial, Duration max) {

    /** 200 ms, doubled up to 30 s. */
    public static final Backoff DEFAULT = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30));

    public Backoff {
        if (initial.isNegative() || initial.isZero() || max.compareTo(initial) < 0) {
            throw new IllegalArgumentException(
                    "A back-off needs 0 < initial <= max, but has " + initial + " and " + max);
        }
    }

    /** How long to wait before try {@code n + 1}, after {@code n >= 1} failures. */
    public Duration afterFailures(int n) {
        long ceiling = Math.min(max.toMillis(), initial.toMillis() << Math.min(n - 1, 20));
        return Duration.ofMillis(ceiling - ThreadLocalRandom.current().nextLong(ceiling / 2 + 1));
    }
}
