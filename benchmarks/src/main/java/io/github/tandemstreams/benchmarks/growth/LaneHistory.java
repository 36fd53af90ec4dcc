package io.github.tandemstreams.benchmarks.growth;

import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.checkpoint.Claim;
import io.github.tandemstreams.checkpoint.Commit;
import io.github.tandemstreams.checkpoint.Fence;
import io.github.tandemstreams.checkpoint.Plan;
import io.github.tandemstreams.checkpoint.Run;
import io.github.tandemstreams.source.LaneId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.transaction.support.TransactionTemplate;

/** The batches of one lane, one after the other: claimed once, the first one planned ahead, each other's plan with a commit. */
final class LaneHistory {

    private final Checkpoint checkpoint;
    private final TransactionTemplate transactions;
    private final LaneId lane;
    private final Paces paces;

    LaneHistory(Checkpoint checkpoint, TransactionTemplate transactions, LaneId lane, Paces paces) {
        this.checkpoint = checkpoint;
        this.transactions = transactions;
        this.lane = lane;
        this.paces = paces;
    }

    void commit(int batches) {
        Claim claim = checkpoint.claim(lane, UUID.randomUUID()).orElseThrow();
        Fence fence = claim.fence();
        checkpoint.plan(List.of(new Checkpoint.PlannedBatch(fence, plan(0))));
        for (int batch = 0; batch < batches; batch++) {
            Plan plan = plan(batch);
            Optional<Plan> next = batch + 1 < batches ? Optional.of(plan(batch + 1)) : Optional.empty();
            commit(new Commit(fence, plan, true, next, claim.topicId(), 1, List.of(), 0, Run.begunAt(Instant.now())));
            fence = fence.after(plan);
            paces.add();
        }
    }

    private void commit(Commit commit) {
        transactions.executeWithoutResult(transaction -> {
            if (checkpoint.commit(List.of(commit), List.of()).isEmpty()) {
                throw new IllegalStateException(lane + ": lost at " + commit.plan());
            }
        });
    }

    /** Of one record: batch and offset count on together. */
    private Plan plan(long batch) {
        return new Plan(batch, 0, OffsetRange.of(lane.lane(), batch, batch + 1));
    }
}
