package io.github.tandemstreams.simulation;

import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.checkpoint.Claim;
import io.github.tandemstreams.checkpoint.CommandStore;
import io.github.tandemstreams.checkpoint.Commit;
import io.github.tandemstreams.checkpoint.DeadLetterStore;
import io.github.tandemstreams.checkpoint.FailureKind;
import io.github.tandemstreams.checkpoint.Fence;
import io.github.tandemstreams.checkpoint.Plan;
import io.github.tandemstreams.checkpoint.ReportStore;
import io.github.tandemstreams.checkpoint.Trouble;
import io.github.tandemstreams.jdbc.JdbcCheckpoint;
import io.github.tandemstreams.sink.DeadLetter;
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.source.LaneStart;
import io.github.tandemstreams.source.RawRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The checkpoint over the {@link SimulatedDatabase}, statement by statement what {@link JdbcCheckpoint} sends to Postgres.
 * The protected methods are the rules that a test may plant a fault in.
 *
 * <p>Threading: safe for use by several threads.
 */
public class SimulatedCheckpoint implements Checkpoint {

    /** Only asked what failures mean, which needs no database. */
    private static final Checkpoint REAL = new JdbcCheckpoint(new DriverManagerDataSource(), "tandem", "simulation");

    private final SimulatedDatabase database;
    private final Steps steps;
    private final Consumer<Claim> claims;

    /**
     * @param steps stops before each statement
     * @param claims hears of each claim while it still holds the lane's row
     */
    public SimulatedCheckpoint(SimulatedDatabase database, Steps steps, Consumer<Claim> claims) {
        this.database = database;
        this.steps = steps;
        this.claims = claims;
    }

    /** A checkpoint whose calls are no steps and may be made on any thread, whatever is bound to it. */
    public static Checkpoint ofOperator(SimulatedDatabase database) {
        return new SimulatedCheckpoint(database, Steps.UNHINDERED, claim -> {}) {

            @Override
            protected void requireNoTransaction() {}
        };
    }

    // ---- the rules

    /** The compare, on the newest version of the row. */
    protected boolean holds(Rows.Lane row, Fence fence) {
        return row.isAsBelieved(fence);
    }

    /** The statement that reads the plan of a lane whose row was just taken. */
    Statement afterTaking(SimulatedConnection connection, Statement taking) {
        return connection.statement("read the claimed lane's plan");
    }

    // ---- what exists

    @Override
    public Set<String> topics(String stream) {
        return own(connection -> connection
                .statement("topics")
                .read(Key.stream(stream))
                .map(Rows.Stream::topics)
                .orElse(Set.of()));
    }

    @Override
    public Map<String, String> settle(String stream, Map<String, String> settings) {
        return own(connection -> {
            Key<Rows.Stream> key = Key.stream(stream);
            connection.statement("add the stream").insert(key, Rows.Stream.NEW);
            Statement statement = connection.statement("settle");
            Rows.Stream row = statement.lock(key, LockMode.NO_KEY_UPDATE).orElseThrow();
            Map<String, String> settled = new HashMap<>(settings);
            settled.putAll(row.settings());
            statement.update(key, new Rows.Stream(row.topics(), Map.copyOf(settled)));
            return settled;
        });
    }

    @Override
    public Set<String> register(String stream, Collection<String> topics, Map<String, LaneStart> lanes) {
        return own(connection -> {
            Key<Rows.Stream> key = Key.stream(stream);
            connection.statement("add the stream").insert(key, Rows.Stream.NEW);
            Rows.Stream row = connection
                    .statement("lock the stream")
                    .lock(key, LockMode.UPDATE)
                    .orElseThrow();
            Set<String> added = new TreeSet<>(topics);
            added.removeAll(row.topics());
            Set<String> all = new TreeSet<>(row.topics());
            all.addAll(added);
            Statement statement = connection.statement("add topics and lanes");
            statement.update(key, new Rows.Stream(Set.copyOf(all), row.settings()));
            new TreeMap<>(lanes).forEach((lane, start) -> {
                if (added.contains(start.topic())) {
                    insert(statement, new LaneId(stream, lane), start);
                }
            });
            return added;
        });
    }

    @Override
    public void add(LaneId lane, LaneStart start) {
        own(connection -> insert(connection.statement("add the lane"), lane, start));
    }

    private static boolean insert(Statement statement, LaneId lane, LaneStart start) {
        return statement.insert(
                Key.lane(lane),
                new Rows.Lane(lane, 0, null, 0, -1, start.position(), start.topicId(), 0, LaneState.ACTIVE, null));
    }

    @Override
    public Optional<Offsets> position(LaneId lane) {
        return own(connection ->
                connection.statement("position").read(Key.lane(lane)).map(Rows.Lane::position));
    }

    // ---- who owns it

    @Override
    public Optional<Claim> claim(LaneId lane, UUID owner) {
        return own(connection -> claim(connection, lane, owner, null));
    }

    @Override
    public Optional<Claim> reclaim(LaneId lane, long epoch, UUID owner) {
        return own(connection -> claim(connection, lane, owner, epoch));
    }

    private Optional<Claim> claim(SimulatedConnection connection, LaneId lane, UUID owner, @Nullable Long epoch) {
        Statement taking = connection.statement("take the lane");
        Optional<Rows.Lane> found =
                taking.lock(Key.lane(lane), LockMode.NO_KEY_UPDATE, row -> epoch == null || row.epoch() == epoch);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Rows.Lane taken = found.get().claimed(owner);
        taking.update(Key.lane(lane), taken);
        Claim claim = claim(taken, owner, afterTaking(connection, taking));
        claims.accept(claim);
        return Optional.of(claim);
    }

    private static Claim claim(Rows.Lane taken, UUID owner, Statement reading) {
        LaneId lane = taken.id();
        Optional<Rows.Planned> planned = reading.read(Key.planned(lane, taken.lastBatch() + 1));
        Optional<Rows.Committed> last = reading.read(Key.committed(lane, taken.lastBatch()));
        return new Claim(
                new Fence(lane, taken.epoch(), owner, taken.lastBatch(), taken.position()),
                taken.generation(),
                taken.topicId(),
                taken.state(),
                taken.failure(),
                planned.map(Rows.Planned::plan),
                planned.map(Rows.Planned::trouble).orElse(Trouble.NONE),
                taken.deadInARow(),
                last.map(row -> OptionalLong.of(row.epoch())).orElse(OptionalLong.empty()));
    }

    @Override
    public boolean raiseGeneration(Fence fence, int generation) {
        return own(connection -> {
            Statement statement = connection.statement("raise the generation");
            Optional<Rows.Lane> row = locked(statement, fence).filter(found -> found.generation() < generation);
            row.ifPresent(found -> statement.update(Key.lane(found.id()), found.raised(generation)));
            return row.isPresent();
        });
    }

    @Override
    public Holding holding(Collection<Fence> fences) {
        return own(connection -> {
            Statement statement = connection.statement("compare idle lanes");
            Set<LaneId> mine = new HashSet<>();
            Set<LaneId> commanded = new HashSet<>();
            for (Fence fence : fences) {
                Optional<Rows.Lane> found = statement.read(Key.lane(fence.lane()));
                if (found.filter(row -> holds(row, fence)).isPresent()) {
                    mine.add(fence.lane());
                } else if (found.filter(row -> row.owner() == null).isPresent()) {
                    commanded.add(fence.lane());
                }
            }
            return new Holding(mine, commanded);
        });
    }

    // ---- batches

    @Override
    public Set<LaneId> plan(List<PlannedBatch> plans) {
        plans.forEach(planned -> requireNext(planned.fence().lastBatch(), planned.plan()));
        return own(connection -> {
            Statement statement = connection.statement("plan");
            return plan(statement, locked(statement, plans, PlannedBatch::fence, LockMode.SHARE));
        });
    }

    /** Plans of lanes whose rows are locked. */
    private static Set<LaneId> plan(Statement statement, List<PlannedBatch> plans) {
        Set<LaneId> planned = new HashSet<>();
        for (PlannedBatch next : plans) {
            if (insert(statement, next.fence().lane(), next.plan())) {
                planned.add(next.fence().lane());
            }
        }
        return planned;
    }

    @Override
    public Set<LaneId> commit(List<Commit> commits, List<PlannedBatch> riding) {
        SimulatedConnection connection = database.bound();
        commits.forEach(SimulatedCheckpoint::requireConsecutive);
        park(connection, commits);
        Statement statement = connection.statement("commit the batch");
        List<Commit> mine = locked(statement, commits, Commit::fence, LockMode.NO_KEY_UPDATE);
        Set<LaneId> held = new HashSet<>();
        for (Commit commit : mine) {
            if (!move(statement, commit)) {
                return Set.of();
            }
            held.add(commit.fence().lane());
        }
        held.addAll(plan(statement, lockedWithoutWait(statement, riding)));
        connection.answered("commit the batch");
        return held;
    }

    /** Those of lanes whose rows nobody holds. */
    private List<PlannedBatch> lockedWithoutWait(Statement statement, List<PlannedBatch> plans) {
        plans.forEach(riding -> requireNext(riding.fence().lastBatch(), riding.plan()));
        return plans.stream()
                .filter(riding -> statement
                        .lockIfFree(Key.lane(riding.fence().lane()), LockMode.SHARE, row -> holds(row, riding.fence()))
                        .isPresent())
                .toList();
    }

    private static boolean move(Statement statement, Commit commit) {
        Fence fence = commit.fence();
        Plan plan = commit.plan();
        Key<Rows.Lane> key = Key.lane(fence.lane());
        Rows.Lane row = statement.lock(key, LockMode.NO_KEY_UPDATE).orElseThrow();
        statement.update(key, row.moved(plan.batch(), plan.range().ends(), row.topicId(), commit.deadInARow()));
        return log(statement, fence, plan, "committed", commit.records())
                && (commit.planned() || insert(statement, fence.lane(), plan))
                && commit.next()
                        .map(next -> insert(statement, fence.lane(), next))
                        .orElse(true);
    }

    private static void park(SimulatedConnection connection, List<Commit> commits) {
        if (commits.stream().allMatch(commit -> commit.deadLetters().isEmpty())) {
            return;
        }
        Statement statement = connection.statement("park dead letters");
        for (Commit commit : commits) {
            for (DeadLetter letter : commit.deadLetters()) {
                park(statement, commit, letter.record());
            }
        }
    }

    private static void park(Statement statement, Commit commit, RawRecord record) {
        LaneId lane = commit.fence().lane();
        Key<Rows.Parked> key =
                Key.parked(lane.stream(), commit.topicId(), record.topic(), record.partition(), record.offset());
        Rows.Parked row = new Rows.Parked(lane, commit.plan().batch(), record.offset(), 1);
        if (!statement.insert(key, row)) {
            statement
                    .lock(key, LockMode.NO_KEY_UPDATE)
                    .ifPresent(found -> statement.update(
                            key, new Rows.Parked(lane, row.batch(), row.offset(), found.attempts() + 1)));
        }
    }

    @Override
    public boolean plansMayRide() {
        return true;
    }

    @Override
    public void limitIdleTime(Duration limit) {
        // The simulated sessions have a limit already: no statement.
        database.bound();
    }

    @Override
    public boolean answers() {
        return database.bound().answers();
    }

    @Override
    public int boundConnections() {
        return 1;
    }

    // ---- out of the ordinary

    @Override
    public boolean note(Fence fence, Trouble trouble) {
        return own(connection -> {
            Statement statement = connection.statement("note trouble");
            return statement
                            .lock(Key.lane(fence.lane()), LockMode.SHARE, row -> holds(row, fence))
                            .isPresent()
                    && change(statement, fence, before -> begun(trouble, before, begun -> begun.add(fence.owner())));
        });
    }

    @Override
    public void ended(Fence fence) {
        own(connection -> change(
                connection.statement("tell an end"),
                fence,
                before -> begun(before, before, begun -> begun.remove(fence.owner()))));
    }

    /** Who has begun is changed by itself, whatever else is written. */
    private static Trouble begun(Trouble written, Trouble before, Consumer<Set<UUID>> change) {
        Set<UUID> begun = new HashSet<>(before.begun());
        change.accept(begun);
        return new Trouble(written.attempts(), begun, written.search(), written.verdict());
    }

    private static boolean change(Statement statement, Fence fence, UnaryOperator<Trouble> change) {
        return change(statement, fence.lane(), fence.lastBatch() + 1, change);
    }

    private static boolean change(Statement statement, LaneId lane, long batch, UnaryOperator<Trouble> change) {
        Key<Rows.Planned> key = Key.planned(lane, batch);
        Optional<Rows.Planned> found = statement.lock(key, LockMode.NO_KEY_UPDATE);
        found.ifPresent(row -> statement.update(key, new Rows.Planned(lane, row.plan(), change.apply(row.trouble()))));
        return found.isPresent();
    }

    @Override
    public DeadLetterStore deadLetters() {
        throw new UnsupportedOperationException("what becomes of dead letters isn't simulated");
    }

    @Override
    public ReportStore reports() {
        throw new UnsupportedOperationException("what is told to people isn't simulated");
    }

    @Override
    public String instance() {
        return "simulated";
    }

    @Override
    public void verify(boolean deferredConstraints) {
        database.bound().statement("verify");
    }

    @Override
    public boolean fail(Fence fence, String failure, @Nullable String foundTopicId) {
        return own(connection -> {
            Statement statement = connection.statement("mark the lane as failed");
            Optional<Rows.Lane> row = locked(statement, fence);
            row.ifPresent(
                    found -> statement.update(Key.lane(found.id()), found.failed(failure.replace('\0', '\uFFFD'))));
            return row.isPresent();
        });
    }

    @Override
    public boolean skip(Fence fence, Plan gap, String topicId) {
        requireNext(fence.lastBatch(), gap);
        return own(connection -> {
            Statement statement = connection.statement("skip lost offsets");
            Optional<Rows.Lane> row = locked(statement, fence);
            if (row.isEmpty()) {
                return false;
            }
            statement.update(
                    Key.lane(fence.lane()),
                    row.get()
                            .moved(
                                    gap.batch(),
                                    gap.range().ends(),
                                    topicId,
                                    row.get().deadInARow()));
            insert(statement, fence.lane(), gap);
            boolean logged = log(statement, fence, gap, "lost", 0);
            if (!logged) {
                connection.rollBack();
            }
            return logged;
        });
    }

    @Override
    public CommandStore commands() {
        return new SimulatedCommands(this);
    }

    /** A lane that is in the state already is left alone: its owner has nothing to notice. */
    Set<LaneId> command(String stream, @Nullable String lane, LaneState state) {
        return own(connection -> {
            Statement statement = connection.statement("command " + state);
            List<Rows.Lane> found = statement
                    .all(
                            Rows.Lane.class,
                            row -> row.id().stream().equals(stream)
                                    && (lane == null || row.id().lane().equals(lane)))
                    .stream()
                    .sorted(Comparator.comparing(Rows.Lane::id))
                    .toList();
            Set<LaneId> changed = new HashSet<>();
            for (Rows.Lane row : found) {
                Key<Rows.Lane> key = Key.lane(row.id());
                statement
                        .lock(key, LockMode.NO_KEY_UPDATE, newest -> newest.state() != state)
                        .ifPresent(newest -> {
                            statement.update(key, newest.commanded(state));
                            if (state == LaneState.ACTIVE) {
                                change(statement, row.id(), newest.lastBatch() + 1, before -> Trouble.NONE);
                            }
                            changed.add(row.id());
                        });
            }
            return changed;
        });
    }

    /** The id of a plan that was left is burnt. It is looked for by a new statement, when nobody can add it any more. */
    Set<LaneId> rewind(LaneId lane, Offsets to) {
        return own(connection -> {
            Rows.Lane row = connection
                    .statement("lock the lane to rewind")
                    .lock(Key.lane(lane), LockMode.NO_KEY_UPDATE)
                    .orElseThrow();
            Statement moving = connection.statement("rewind");
            long next = row.lastBatch() + 1;
            Optional<Rows.Planned> plan = moving.read(Key.planned(lane, next));
            moving.update(Key.lane(lane), row.rewound(to, plan.isPresent() ? next : row.lastBatch()));
            plan.ifPresent(burnt -> moving.insert(
                    Key.committed(lane, next),
                    new Rows.Committed(lane, next, burnt.plan().generation(), row.epoch() + 1, "abandoned", 0)));
            return Set.of(lane);
        });
    }

    @Override
    public int prune(String stream, int retain) {
        int plans = own(connection -> prune(
                connection.statement("prune the offset log"),
                Rows.Planned.class,
                row -> Key.planned(row.lane(), row.plan().batch()),
                stream,
                retain));
        int commits = own(connection -> prune(
                connection.statement("prune the commit log"),
                Rows.Committed.class,
                row -> Key.committed(row.lane(), row.batch()),
                stream,
                retain));
        return plans + commits;
    }

    private static <R> int prune(
            Statement statement, Class<R> log, Function<R, Key<R>> keys, String stream, int retain) {
        List<Key<R>> old = statement.all(log, row -> true).stream()
                .map(keys)
                .filter(key -> isOld(statement, key, stream, retain))
                .toList();
        old.forEach(statement::delete);
        return old.size();
    }

    private static boolean isOld(Statement statement, Key<?> log, String stream, int retain) {
        LaneId lane = (LaneId) log.columns().get(0);
        long batch = (long) log.columns().get(1);
        return lane.stream().equals(stream)
                && statement
                        .read(Key.lane(lane))
                        .filter(row -> batch <= row.lastBatch() - retain)
                        .isPresent();
    }

    // ---- what failures mean

    @Override
    public FailureKind classify(Throwable failure) {
        return REAL.classify(failure);
    }

    @Override
    public boolean isInDoubt(Throwable commitFailure) {
        return REAL.isInDoubt(commitFailure);
    }

    // ---- parts of statements

    /** Locks the rows of those whose compare holds, in key order. */
    private <T> List<T> locked(Statement statement, List<T> all, Function<T, Fence> fences, LockMode mode) {
        List<T> mine = new ArrayList<>();
        all.stream()
                .sorted(Comparator.comparing(one -> fences.apply(one).lane()))
                .forEach(one -> {
                    Fence fence = fences.apply(one);
                    if (statement
                            .lock(Key.lane(fence.lane()), mode, row -> holds(row, fence))
                            .isPresent()) {
                        mine.add(one);
                    }
                });
        return mine;
    }

    private Optional<Rows.Lane> locked(Statement statement, Fence fence) {
        return statement.lock(Key.lane(fence.lane()), LockMode.NO_KEY_UPDATE, row -> holds(row, fence));
    }

    private static boolean insert(Statement statement, LaneId lane, Plan plan) {
        return statement.insert(Key.planned(lane, plan.batch()), new Rows.Planned(lane, plan, Trouble.NONE));
    }

    private static boolean log(Statement statement, Fence fence, Plan plan, String status, int records) {
        LaneId lane = fence.lane();
        return statement.insert(
                Key.committed(lane, plan.batch()),
                new Rows.Committed(lane, plan.batch(), plan.generation(), fence.epoch(), status, records));
    }

    private static void requireNext(long lastBatch, Plan plan) {
        if (plan.batch() != lastBatch + 1) {
            throw new IllegalArgumentException("Batch " + plan.batch() + " doesn't follow batch " + lastBatch);
        }
    }

    private static void requireConsecutive(Commit commit) {
        requireNext(commit.fence().lastBatch(), commit.plan());
        commit.next().ifPresent(next -> requireNext(commit.plan().batch(), next));
    }

    /** A transaction of the checkpoint's own. */
    private <T> T own(Function<SimulatedConnection, T> work) {
        requireNoTransaction();
        SimulatedConnection connection = database.connect(steps);
        try {
            T result = work.apply(connection);
            connection.commit();
            return result;
        } catch (Throwable failure) {
            connection.rollBack();
            throw failure;
        }
    }

    protected void requireNoTransaction() {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalTransactionStateException("a transaction is bound to this thread");
        }
    }
}
