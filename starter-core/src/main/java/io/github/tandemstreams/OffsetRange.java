package io.github.tandemstreams;

/**
 * A half-open range of offsets for each partition it covers: starts inclusive, ends exclusive. Offsets aren't dense
 * (transaction markers, compaction), so the width of a range says nothing about the number of its records.
 *
 * @param starts first offset of each partition
 * @param ends first offset after the range, for the same partitions
 */
public record OffsetRange(Offsets starts, Offsets ends) {

    public OffsetRange {
        if (!starts.byPartition().keySet().equals(ends.byPartition().keySet())) {
            throw new IllegalArgumentException("Starts " + starts + " and ends " + ends + " name different partitions");
        }
        starts.byPartition().forEach((partition, start) -> {
            if (ends.get(partition) < start) {
                throw new IllegalArgumentException(
                        "Range of " + partition + " ends before it starts: " + start + " to " + ends.get(partition));
            }
        });
    }

    /** The range of one partition. */
    public static OffsetRange of(String partition, long start, long end) {
        return new OffsetRange(Offsets.of(partition, start), Offsets.of(partition, end));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        starts.byPartition()
                .forEach((partition, start) -> text.append(text.isEmpty() ? "" : ", ")
                        .append(partition)
                        .append(" [")
                        .append(start)
                        .append(", ")
                        .append(ends.get(partition))
                        .append(')'));
        return text.toString();
    }
}
