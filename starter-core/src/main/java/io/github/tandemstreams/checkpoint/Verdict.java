package io.github.tandemstreams.checkpoint;

import io.github.tandemstreams.sink.Cause;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The records of a batch that were found guilty of its failure. Stored with the plan before the final run: every replay of
 * the batch parks the same records.
 *
 * @param guilty in the order of their offsets; empty if no record fails by itself
 * @param named whether the handler named them itself, since it can't be tried: it may name more of them in the next run
 */
public record Verdict(List<Guilty> guilty, boolean named) {

    public static final Verdict NONE = new Verdict(List.of());

    public Verdict {
        guilty = List.copyOf(guilty);
    }

    /** What trial runs found. */
    public Verdict(List<Guilty> guilty) {
        this(guilty, false);
    }

    /** Why records of a partition are to be parked, by their offsets; empty for almost every batch. */
    public Map<Long, Cause> of(String partition) {
        return guilty.stream()
                .filter(record -> record.partition().equals(partition))
                .collect(Collectors.toMap(Guilty::offset, Guilty::cause));
    }

    /**
     * A record that fails.
     *
     * @param partition its partition, as in the plan's range
     * @param offset its offset
     * @param cause how it fails
     */
    public record Guilty(String partition, long offset, Cause cause) {}
}
