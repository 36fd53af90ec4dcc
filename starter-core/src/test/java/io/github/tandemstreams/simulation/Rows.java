package io.github.tandemstreams.simulation;

import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.checkpoint.Fence;
import io.github.tandemstreams.checkpoint.Plan;
import io.github.tandemstreams.checkpoint.Trouble;
import io.github.tandemstreams.source.LaneId;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of the simulated tables, as far as behaviour depends on them. */
public final class Rows {

    private Rows() {}

    /** A row of {@code stream}. */
    public record Stream(Set<String> topics, Map<String, String> settings) {

        static final Stream NEW = new Stream(Set.of(), Map.of());
    }

    /** A row of {@code lane}. */
    public record Lane(
            LaneId id,
            long epoch,
            @Nullable UUID owner,
            int generation,
            long lastBatch,
            Offsets position,
            String topicId,
            int deadInARow,
            LaneState state,
            @Nullable String failure) {

        boolean isAsBelieved(Fence fence) {
            return epoch == fence.epoch()
                    && fence.owner().equals(owner)
                    && lastBatch == fence.lastBatch()
                    && position.equals(fence.position());
        }

        Lane claimed(UUID newOwner) {
            return with(epoch + 1, newOwner, state, failure, deadInARow);
        }

        Lane moved(long batch, Offsets ends, String topic, int dead) {
            return new Lane(id, epoch, owner, generation, batch, position.merge(ends), topic, dead, state, failure);
        }

        Lane raised(int newGeneration) {
            return new Lane(id, epoch, owner, newGeneration, lastBatch, position, topicId, deadInARow, state, failure);
        }

        Lane failed(String why) {
            return with(epoch, owner, LaneState.FAILED, why, deadInARow);
        }

        Lane commanded(LaneState wanted) {
            return wanted == LaneState.ACTIVE
                    ? with(epoch + 1, null, wanted, null, 0)
                    : with(epoch + 1, null, wanted, failure, deadInARow);
        }

        Lane rewound(Offsets to, long last) {
            return new Lane(id, epoch + 1, null, generation, last, position.merge(to), topicId, 0, state, failure);
        }

        private Lane with(long newEpoch, @Nullable UUID newOwner, LaneState newState, @Nullable String why, int dead) {
            return new Lane(id, newEpoch, newOwner, generation, lastBatch, position, topicId, dead, newState, why);
        }
    }

    /** A row of {@code offset_log}. */
    public record Planned(LaneId lane, Plan plan, Trouble trouble) {}

    /** A row of {@code commit_log}. */
    public record Committed(LaneId lane, long batch, int generation, long epoch, String status, int records) {}

    /** A row of {@code dead_letter}. */
    public record Parked(LaneId lane, long batch, long offset, int attempts) {}

    /** A row of the handler's own table. */
    public record Effect(LaneId lane, long batch, long offset) {}
}
