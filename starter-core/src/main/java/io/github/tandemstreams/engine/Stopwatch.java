package io.github.tandemstreams.engine;

import java.time.Duration;

/** Measures one thing after the other, each with one look at the clock. Threading: belongs to one thread. */
final class Stopwatch {

    private final long start = System.nanoTime();
    private long last = start;

    /** When it was started, as {@link System#nanoTime()} tells it. */
    long start() {
        return start;
    }

    /** The time since the last call, or the start. */
    Duration lap() {
        long now = System.nanoTime();
        Duration lap = Duration.ofNanos(now - last);
        last = now;
        return lap;
    }

    /** The time from the start until the last lap. */
    Duration total() {
        return Duration.ofNanos(last - start);
    }
}
