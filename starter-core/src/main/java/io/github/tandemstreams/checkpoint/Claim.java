package io.github.tandemstreams.checkpoint;

import io.github.tandemstreams.LaneState;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a claim found.
 *
 * @param fence the lane as it is owned now
 * @param generation generation of plans made from now on
 * @param topicId identity of the topic that the position belongs to; empty if unknown
 * @param state whether the lane may run
 * @param failure why the lane failed; null unless it did
 * @param plan the plan that was left for batch {@code lastBatch + 1}, to be run with exactly its range
 * @param trouble what is stored of that plan's failures
 * @param deadInARow how many dead letters the last batches ended with, without a good record after them
 * @param lastCommitEpoch the epoch under which the last batch was committed; for reports only
 */
public record Claim(
        Fence fence,
        int generation,
        String topicId,
        LaneState state,
        @Nullable String failure,
        Optional<Plan> plan,
        Trouble trouble,
        int deadInARow,
        OptionalLong lastCommitEpoch) {

    /** The same with another generation. */
    public Claim withGeneration(int raised) {
        return new Claim(fence, raised, topicId, state, failure, plan, trouble, deadInARow, lastCommitEpoch);
    }
}
