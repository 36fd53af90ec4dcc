package io.github.tandemstreams.torture.faults;

import java.util.EnumMap;
import java.util.Map;

/**
 * What was done so far.
 *
 * <p>Threading: safe for use by several threads.
 */
public final class Tally {

    private final Map<FaultKind, Integer> faults = new EnumMap<>(FaultKind.class);

    synchronized void count(FaultKind kind) {
        faults.merge(kind, 1, Integer::sum);
    }

    /** Faults of this kind that hit. */
    public synchronized int of(FaultKind kind) {
        return faults.getOrDefault(kind, 0);
    }
}
