package io.github.tandemstreams;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where a lane stands: an offset for each partition that it covers, such as {@code {"flights-3": 1200}}. A partition
 * without entry starts at its earliest offset. Immutable.
 */
public final class Offsets {

    private static final Offsets NONE = new Offsets(Map.of());

    private final SortedMap<String, Long> byPartition;

    private Offsets(Map<String, Long> byPartition) {
        this.byPartition = Collections.unmodifiableSortedMap(new TreeMap<>(byPartition));
    }

    /** No partition at all. */
    public static Offsets none() {
        return NONE;
    }

    /** One partition. */
    public static Offsets of(String partition, long offset) {
        return new Offsets(Map.of(partition, offset));
    }

    /** Several partitions; the map is copied. */
    public static Offsets of(Map<String, Long> byPartition) {
        return new Offsets(byPartition);
    }

    /** The offsets by partition, sorted by its name; unmodifiable. */
    public SortedMap<String, Long> byPartition() {
        return byPartition;
    }

    /**
     * The offset of a partition.
     *
     * @throws IllegalArgumentException if the partition has no entry
     */
    public long get(String partition) {
        Long offset = byPartition.get(partition);
        if (offset == null) {
            throw new IllegalArgumentException("No offset for partition '" + partition + "' in " + this);
        }
        return offset;
    }

    /** These offsets with the entries of {@code later} put over them, as {@code position || ends} in Postgres. */
    public Offsets merge(Offsets later) {
        Map<String, Long> merged = new TreeMap<>(byPartition);
        merged.putAll(later.byPartition);
        return new Offsets(merged);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Offsets offsets && byPartition.equals(offsets.byPartition);
    }

    @Override
    public int hashCode() {
        return byPartition.hashCode();
    }

    @Override
    public String toString() {
        return byPartition.toString();
    }
}
