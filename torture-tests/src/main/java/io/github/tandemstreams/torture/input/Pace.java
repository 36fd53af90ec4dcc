package io.github.tandemstreams.torture.input;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How fast producers go, into how many partitions, and until when.
 *
 * <p>Threading: set by one thread, read by many.
 */
final class Pace {

    private final AtomicInteger perSecond;
    private final AtomicInteger partitions;
    private final AtomicBoolean ended = new AtomicBoolean();

    Pace(int perSecond, int partitions) {
        this.perSecond = new AtomicInteger(perSecond);
        this.partitions = new AtomicInteger(partitions);
    }

    /** Records for each producer in a second. */
    int perSecond() {
        return perSecond.get();
    }

    void change(int newPerSecond) {
        perSecond.set(newPerSecond);
    }

    int partitions() {
        return partitions.get();
    }

    void grow(int newPartitions) {
        partitions.set(newPartitions);
    }

    void end() {
        ended.set(true);
    }

    boolean isEnded() {
        return ended.get();
    }
}
