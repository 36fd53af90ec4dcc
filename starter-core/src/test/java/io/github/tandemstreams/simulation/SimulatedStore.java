package io.github.tandemstreams.simulation;

import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.checkpoint.CheckpointStore;
import io.github.tandemstreams.source.LaneId;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.springframework.transaction.support.TransactionTemplate;

/** The simulated database, with ordinary threads that wait on each other. */
final class SimulatedStore implements CheckpointStore {

    private final SimulatedDatabase database = new SimulatedDatabase();
    private final Checkpoint a = new SimulatedCheckpoint(database, Steps.UNHINDERED, claim -> {});
    private final Checkpoint b = new SimulatedCheckpoint(database, Steps.UNHINDERED, claim -> {});
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @Override
    public Checkpoint a() {
        return a;
    }

    @Override
    public Checkpoint b() {
        return b;
    }

    @Override
    public TransactionTemplate transactions() {
        return new TransactionTemplate(new SimulatedTransactionManager(database, Steps.UNHINDERED));
    }

    @Override
    public List<String> log(LaneId lane) {
        SimulatedDatabase.State state = database.state();
        return state.all(Rows.Planned.class)
                .filter(row -> row.lane().equals(lane))
                .sorted(Comparator.comparing(row -> row.plan().batch()))
                .map(row -> describe(row, state))
                .toList();
    }

    private static String describe(Rows.Planned row, SimulatedDatabase.State state) {
        OffsetRange range = row.plan().range();
        String status = state.get(Key.committed(row.lane(), row.plan().batch()))
                .map(Rows.Committed::status)
                .orElse("planned");
        String partition = range.starts().byPartition().firstKey();
        return row.plan().batch() + " [" + range.starts().get(partition) + ", "
                + range.ends().get(partition) + ") " + status;
    }

    @Override
    public <T> Future<T> start(Callable<T> work) {
        return threads.submit(work);
    }

    @Override
    public void awaitWaiting(int sessions) {
        Awaitility.await(sessions + " sessions wait for a lock").until(() -> database.waiting() == sessions);
    }

    @Override
    public <T> T whileClaimed(LaneId lane, Supplier<T> work) {
        SimulatedConnection claim = database.connect(Steps.UNHINDERED);
        Statement statement = claim.statement("another instance's claim");
        Rows.Lane row = statement.lock(Key.lane(lane), LockMode.NO_KEY_UPDATE).orElseThrow();
        statement.update(Key.lane(lane), row.claimed(UUID.randomUUID()));
        T done = work.get();
        claim.commit();
        return done;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
