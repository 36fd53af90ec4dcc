package io.github.tandemstreams.benchmarks.growth;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Takes the time of each tenth of the commits.
 *
 * <p>Threading: safe for use by several threads.
 */
final class Paces {

    private static final int PARTS = 10;

    private final long part;
    private final AtomicLong done = new AtomicLong();
    private final AtomicLongArray ended = new AtomicLongArray(PARTS + 1);

    /** Begins now. */
    Paces(long commits) {
        part = Math.max(1, commits / PARTS);
        ended.set(0, System.nanoTime());
    }

    /** One commit more. */
    void add() {
        long now = done.incrementAndGet();
        if (now % part == 0 && now / part <= PARTS) {
            ended.set((int) (now / part), System.nanoTime());
        }
    }

    List<Pace> all() {
        List<Pace> paces = new ArrayList<>();
        for (int tenth = 1; tenth <= PARTS; tenth++) {
            paces.add(new Pace(tenth, part * 1e9 / (ended.get(tenth) - ended.get(tenth - 1))));
        }
        return paces;
    }
}
