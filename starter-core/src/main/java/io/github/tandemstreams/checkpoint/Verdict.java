package io.github.tandemstreams.checkpoint;

import io.github.tandemstreams.sink.Cause;
import java.util.List;
import java.util.Optional;

/**
 * The records of a batch that were found guilty of its failure. Stored with the plan before the final run: every replay of
 * the batch parks the same records.
 *
 * @param guilty in the order of their offsets; empty if no record fails by itself
 */
public record Verdict(List<Guilty> guilty) {

    public static final Verdict NONE = new Verdict(List.of());

    public Verdict {
        guilty = List.copyOf(guilty);
    }

    /** Why this record is to be parked, if it is. */
    public Optional<Cause> on(String partition, long offset) {
        return guilty.stream()
                .filter(record ->
                        record.offset() == offset && record.partition().equals(partition))
                .map(Guilty::cause)
                .findFirst();
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
