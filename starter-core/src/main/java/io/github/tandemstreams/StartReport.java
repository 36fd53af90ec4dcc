package io.github.tandemstreams;

/**
 * Where a lane would start, if its stream were started now.
 *
 * @param lane name of the lane
 * @param stored whether that is stored already: the lane goes on there, and the setting {@code starting-offsets} has no effect
 *     on it
 * @param start first offsets that would be read
 * @param earliest first offsets that the source still has
 * @param latest offsets after the last record that can be read now
 */
public record StartReport(String lane, boolean stored, Offsets start, Offsets earliest, Offsets latest) {

    /** Offsets from the start to the end: records to be read, and fewer where offsets are missing. Never negative. */
    public long ahead() {
        return latest.byPartition().entrySet().stream()
                .mapToLong(end -> Math.max(
                        0, end.getValue() - start.byPartition().getOrDefault(end.getKey(), earliest.get(end.getKey()))))
                .sum();
    }
}
