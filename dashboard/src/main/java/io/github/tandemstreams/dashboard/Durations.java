package io.github.tandemstreams.dashboard;

import java.time.Duration;

/** Durations as the page has them. */
final class Durations {

    private Durations() {}

    /** Milliseconds with what is left of them as a fraction. */
    static double milliseconds(Duration duration) {
        return duration.toNanos() / 1e6;
    }
}
