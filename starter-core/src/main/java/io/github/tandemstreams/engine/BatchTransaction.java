package io.github.tandemstreams.engine;

import io.github.tandemstreams.BatchPhase;
import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.checkpoint.Commit;
import io.github.tandemstreams.source.Decoder;
import io.github.tandemstreams.source.LaneId;
import java.time.Clock;
import java.time.Duration;
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
        Stopwatch watch = new Stopwatch();
        List<LaneRun<T>> runs = lanes.stream()
                .map(lane -> new LaneRun<T>(lane, startedAt, watch.start(), stream.tracer()))
                .toList();
        Outcome outcome = run(runs, watch, waiting);
        runs.forEach(run -> run.trace().end(outcome.failure()));
        return outcome;
    }

    private Outcome run(List<LaneRun<T>> runs, Stopwatch watch, Supplier<List<Lane>> waiting) {
        TransactionStatus transaction;
        List<BatchTracer.Step> steps = new ArrayList<>(runs.size());
        try {
            for (LaneRun<T> run : runs) {
                run.decoded(DecodedBatch.of(run.lane, decoder, stream), watch.lap());
            }
            transaction = transactions.begin(stream.transactionTimeout());
        } catch (Throwable notBegun) {
            return new Outcome.Failed(notBegun);
        }
        try {
            checkpoint.limitIdleTime(stream.transactionTimeout());
            // It may have waited for a connection.
            Duration begun = watch.lap();
            for (LaneRun<T> run : runs) {
                run.took(BatchPhase.QUEUE, begun);
                handle(run, transaction);
                run.took(BatchPhase.HANDLER, watch.lap());
            }
            runs.forEach(run -> steps.add(run.trace().commit()));
        } catch (Throwable failure) {
            transactions.rollBack(transaction);
            end(steps, failure);
            return new Outcome.Failed(failure);
        }
        Outcome outcome = commit(runs, watch, waiting, transaction);
        end(steps, outcome.failure());
        return outcome;
    }

    private static void end(List<BatchTracer.Step> steps, @Nullable Throwable failure) {
        for (int i = steps.size() - 1; i >= 0; i--) {
            steps.get(i).end(failure);
        }
    }

    private void handle(LaneRun<T> run, TransactionStatus transaction) throws Throwable {
        if (run.batch().size() == 0) {
            return;
        }
        BatchTracer.Step step = run.trace().handler();
        try {
            handler.run(run.batch(), transaction);
        } catch (Throwable failure) {
            step.end(failure);
            throw failure;
        }
        step.end(null);
    }

    private Outcome commit(
            List<LaneRun<T>> runs, Stopwatch watch, Supplier<List<Lane>> waiting, TransactionStatus transaction) {
        List<Commit> commits;
        List<Lane> riders;
        Set<LaneId> held;
        CommitPhase commitPhase;
        try {
            Duration untilNow = watch.total();
            commits = runs.stream().map(run -> commit(run, untilNow)).toList();
            riders = waiting.get();
            held = checkpoint.commit(commits, riders.stream().map(Lane::toPlan).toList());
            Set<LaneId> fenced =
                    new HashSet<>(runs.stream().map(run -> run.lane.id).toList());
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
                    ? new Outcome.Unknown(results(runs, commits, watch.lap()), riders, failure)
                    : new Outcome.Failed(failure, commitPhase.isReached());
        }
        return new Outcome.Committed(
                results(runs, commits, watch.lap()),
                riders.stream().filter(lane -> held.contains(lane.id)).toList(),
                riders.stream().filter(lane -> !held.contains(lane.id)).toList());
    }

    private Commit commit(LaneRun<T> run, Duration untilNow) {
        Lane lane = run.lane;
        DecodedBatch<T> batch = run.batch();
        return new Commit(
                lane.owned(),
                batch.plan(),
                lane.planned,
                planner.following(lane),
                lane.claimed().topicId(),
                batch.size(),
                batch.deadLetters(),
                batch.deadInARow(),
                run.run(untilNow));
    }

    private static <T extends @Nullable Object> List<Result> results(
            List<LaneRun<T>> runs, List<Commit> commits, Duration committing) {
        List<Result> results = new ArrayList<>(runs.size());
        for (int i = 0; i < runs.size(); i++) {
            Commit commit = commits.get(i);
            results.add(new Result(
                    runs.get(i).lane,
                    commit.fence().epoch(),
                    commit.plan(),
                    commit.next(),
                    commit.records(),
                    commit.deadLetters(),
                    commit.deadInARow(),
                    commit.run().committed(committing)));
        }
        return results;
    }
}
