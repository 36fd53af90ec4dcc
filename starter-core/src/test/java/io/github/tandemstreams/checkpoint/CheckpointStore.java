package io.github.tandemstreams.checkpoint;

import io.github.tandemstreams.source.LaneId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.springframework.transaction.support.TransactionTemplate;

/** An empty database for a test, two instances' checkpoints on it, and threads to run them against each other. */
public interface CheckpointStore extends AutoCloseable {

    Checkpoint a();

    Checkpoint b();

    /** Registers so many lanes, which start at offset 100. */
    default void register(int lanes) {
        a().register(SampleBatches.STREAM, Set.of("flights"), SampleBatches.starts(lanes));
    }

    /** Transactions of handlers. */
    TransactionTemplate transactions();

    /** Runs the work in a transaction of a handler's. */
    default <T> T inTransaction(Supplier<T> work) {
        return transactions().execute(status -> work.get());
    }

    /** Commits in a transaction of a handler's, or rolls it back if a lane is missing. */
    default Set<LaneId> commit(Checkpoint checkpoint, Commit... commits) {
        return transactions().execute(status -> {
            Set<LaneId> committed = checkpoint.commit(List.of(commits), List.of());
            if (committed.size() < commits.length) {
                status.setRollbackOnly();
            }
            return committed;
        });
    }

    /** The lane's batches in their order, such as {@code 0 [100, 110) committed}. */
    List<String> log(LaneId lane);

    /** Runs the work on a thread of its own. */
    <T> Future<T> start(Callable<T> work);

    /** Waits until so many sessions wait for a lock. */
    void awaitWaiting(int sessions);

    /** Does the work while another instance's claim isn't committed yet, and commits that afterwards. */
    <T> T whileClaimed(LaneId lane, Supplier<T> work);

    /** Starts the work while another instance's claim isn't committed yet, and commits that once the work waits for it. */
    default <T> Future<T> untilClaimed(LaneId lane, Callable<T> work) {
        return whileClaimed(lane, () -> {
            Future<T> started = start(work);
            awaitWaiting(1);
            return started;
        });
    }

    @Override
    void close();
}
