package io.github.tandemstreams;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command as the audit trail has it: a row of {@code operator_command}.
 *
 * @param id its number, which grows
 * @param command what was wanted; {@code issuedBy} is never null here
 * @param status how far it is
 * @param lanes what it did, or a dry run found that it would do, to each lane
 * @param deadLetters dead letters that it concerned
 * @param version version of the stream after it; of a dry run the version that it saw
 * @param problem why it failed; null otherwise
 * @param instance the instance that carried it out; null where the database did that by itself
 * @param issuedAt when it came
 * @param settledAt when it was done or failed; null while it is pending
 */
public record CommandRecord(
        long id,
        StreamCommand command,
        Status status,
        List<LaneEffect> lanes,
        long deadLetters,
        long version,
        @Nullable String problem,
        @Nullable String instance,
        Instant issuedAt,
        @Nullable Instant settledAt) {

    /** How far a command is. */
    public enum Status {
        /** An instance has yet to carry it out. */
        PENDING,
        /** It holds on all instances: no batch commits under an epoch from before. */
        DONE,
        /** It couldn't be carried out, and did nothing; of a re-drive: some of the records failed again. */
        FAILED
    }

    /**
     * What a command does to a lane.
     *
     * @param lane name of the lane
     * @param from where the lane stood
     * @param to where it stands after it; the same where it doesn't move
     * @param batches batches in between, as far as the logs tell; a skip is a batch of its own
     * @param records records of these batches, as far as the logs tell; of a skip, and of what was skipped, the offsets
     * @param unknown offsets in between that a rewind reads again and of which the logs no longer tell: up to so many more
     *     records
     * @param deadLetters dead letters in between that a rewind reads again
     * @param burnt id of the plan that was given up for it; null if there was none
     */
    public record LaneEffect(
            String lane,
            Offsets from,
            Offsets to,
            long batches,
            long records,
            long unknown,
            long deadLetters,
            @Nullable Long burnt) {}

    public CommandRecord {
        lanes = List.copyOf(lanes);
    }
}
