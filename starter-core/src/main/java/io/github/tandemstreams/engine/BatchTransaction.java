package io.github.tandemstreams.engine;

import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.checkpoint.Commit;
import io.github.tandemstreams.source.Decoder;
import io.github.tandemstreams.source.LaneId;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;

/**
 * One transaction: the handler's writes and the batch's commit, for one lane or for several that share it.
 *
 * <pre>
 *   decode
 *   begin
 *     for each lane: handler(batch)
 *     one statement: lane rows under the compare, commit log, plans that ride along: those of the next batches, and
 *       of lanes that wait for one
 *     fewer rows than lanes -> roll back: FENCED
 *   commit
 *     no answer -> UNKNOWN
 * </pre>
 *
 * <p>The phase of a failure decides what it means: before COMMIT is sent nothing can have been written, whatever broke.
 *
 * <p>Threading: belongs to one worker, as its decoder does.
 */
final class BatchTransaction<T extends @Nullable Object> {

    private final StreamDefinition<T> stream;
    private final Decoder<T> decoder;
    private final Checkpoint checkpoint;
    private final HandlerTransactions transactions;
    private final HandlerCall<T> handler;
    private final BatchPlanner planner;
    private final Clock clock;

    BatchTransaction(StreamDefinition<T> stream, BatchPlanner planner, Clock clock) {
        this.stream = stream;
        this.decoder = stream.decoders().get();
        this.checkpoint = stream.checkpoint();
        this.transactions = new HandlerTransactions(stream);
        this.handler = new HandlerCall<>(stream);
        this.planner = planner;
        this.clock = clock;
    }

    /**
     * Runs the batches that these lanes have in hand.
     *
     * @param waiting asked after the handler for the lanes that wait for a plan
     */
    Outcome run(List<Lane> lanes, Supplier<List<Lane>> waiting) {
        Instant startedAt = clock.instant();
        List<DecodedBatch<T>> batches;
        TransactionStatus transaction;
        try {
            batches = lanes.stream()
                    .map(lane -> DecodedBatch.of(lane, decoder, stream))
                    .toList();
            transaction = transactions.begin(stream.transactionTimeout());
        } catch (Throwable notBegun) {
            return new Outcome.Failed(notBegun);
        }
        List<Commit> commits;
        List<Lane> riders;
        Set<LaneId> held;
        CommitPhase commitPhase;
        try {
            checkpoint.limitIdleTime(stream.transactionTimeout());
            commits = write(lanes, batches, transaction, startedAt);
            riders = waiting.get();
            held = checkpoint.commit(commits, riders.stream().map(Lane::toPlan).toList());
            Set<LaneId> fenced =
                    new HashSet<>(lanes.stream().map(lane -> lane.id).toList());
            fenced.removeAll(held);
            if (!fenced.isEmpty()) {
                transactions.rollBack(transaction);
                return new Outcome.Fenced(fenced);
            }
            commitPhase = CommitPhase.register();
        } catch (Throwable failure) {
            transactions.rollBack(transaction);
            return new Outcome.Failed(failure);
        }
        try {
            transactions.commit(transaction);
        } catch (UnexpectedRollbackException rolledBack) {
            return new Outcome.Failed(rolledBack);
        } catch (Throwable failure) {
            return commitPhase.isReached() && checkpoint.isInDoubt(failure)
                    ? new Outcome.Unknown(results(lanes, commits), riders, failure)
                    : new Outcome.Failed(failure, commitPhase.isReached());
        }
        return new Outcome.Committed(
                results(lanes, commits),
                riders.stream().filter(lane -> held.contains(lane.id)).toList(),
                riders.stream().filter(lane -> !held.contains(lane.id)).toList());
    }

    private List<Commit> write(
            List<Lane> lanes, List<DecodedBatch<T>> batches, TransactionStatus transaction, Instant startedAt)
            throws Throwable {
        List<Commit> commits = new ArrayList<>(lanes.size());
        for (int i = 0; i < lanes.size(); i++) {
            Lane lane = lanes.get(i);
            DecodedBatch<T> batch = batches.get(i);
            if (batch.size() > 0) {
                handler.run(batch, transaction);
            }
            commits.add(new Commit(
                    lane.owned(),
                    batch.plan(),
                    lane.planned,
                    planner.following(lane),
                    lane.claimed().topicId(),
                    batch.size(),
                    batch.deadLetters(),
                    batch.deadInARow(),
                    startedAt));
        }
        return commits;
    }

    private static List<Result> results(List<Lane> lanes, List<Commit> commits) {
        List<Result> results = new ArrayList<>(lanes.size());
        for (int i = 0; i < lanes.size(); i++) {
            Commit commit = commits.get(i);
            results.add(new Result(
                    lanes.get(i),
                    commit.fence().epoch(),
                    commit.plan(),
                    commit.next(),
                    commit.records(),
                    commit.deadLetters(),
                    commit.deadInARow(),
                    commit.startedAt()));
        }
        return results;
    }
}
