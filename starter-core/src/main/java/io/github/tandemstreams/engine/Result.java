package io.github.tandemstreams.engine;

import io.github.tandemstreams.checkpoint.Plan;
import io.github.tandemstreams.checkpoint.Run;
import io.github.tandemstreams.sink.DeadLetter;
import java.util.List;
import java.util.Optional;

/**
 * What a run of one lane's batch did, if it was committed.
 *
 * @param lane the lane
 * @param epoch the epoch that it ran under
 * @param plan the batch
 * @param next the plan that rode along
 * @param records records handed to the handler
 * @param deadLetters records that could not be processed
 * @param deadInARow how many dead letters the lane ends with
 * @param run how it went, with its commit
 */
record Result(
        Lane lane,
        long epoch,
        Plan plan,
        Optional<Plan> next,
        int records,
        List<DeadLetter> deadLetters,
        int deadInARow,
        Run run) {}
