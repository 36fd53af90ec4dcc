package io.github.tandemstreams.checkpoint;

import io.github.tandemstreams.sink.DeadLetter;
import java.util.List;
import java.util.Optional;

/**
 * One lane's part of a commit.
 *
 * @param fence what the owner believes of the lane
 * @param plan the batch that was run
 * @param planned whether its row stands in the offset log already; otherwise it is written now
 * @param next the plan of the following batch, to ride along
 * @param topicId identity of the topic, for the dead letters
 * @param records records handed to the handler
 * @param deadLetters records that could not be processed
 * @param deadInARow how many dead letters the lane ends with after this batch, without a good record after them
 * @param run how the run went
 */
public record Commit(
        Fence fence,
        Plan plan,
        boolean planned,
        Optional<Plan> next,
        String topicId,
        int records,
        List<DeadLetter> deadLetters,
        int deadInARow,
        Run run) {}
