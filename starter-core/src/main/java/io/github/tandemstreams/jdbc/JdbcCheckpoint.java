package io.github.tandemstreams.jdbc;

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
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.source.LaneStart;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The checkpoint in Postgres. It commits in the caller's transaction, if that is one on the same {@link DataSource}; all
 * else runs in transactions of its own, at READ COMMITTED, one connection at a time. Nothing that it does outlives a
 * transaction on the session, so that a pooler in transaction mode may stand between.
 *
 * <p>Threading: safe for use by several threads.
 *
 * @see SchemaMigrator for the tables
 */
public final class JdbcCheckpoint implements Checkpoint {

    private static final RowMapper<LaneId> LANE = (row, number) -> new LaneId(row.getString(1), row.getString(2));

    private final DataSource dataSource;
    private final String instance;
    private final JdbcTemplate jdbc;
    private final ReadOnlyConnections readOnly;
    private final OwnTransactions own;
    private final LaneSql sql;
    private final LaneRegistry registry;
    private final DatabaseIdentity.Reader identity;
    private final DeadLetterTable deadLetters;
    private final ReportTables reports;
    private final CommandTable commands;

    /**
     * The checkpoint in one schema.
     *
     * @param dataSource the one that the transactions of the batches are on
     * @param schema name of the schema with the tables
     * @param instance name of this instance, stored with claims and commits for people to read
     * @throws SchemaException if the schema is {@code public}
     */
    public JdbcCheckpoint(DataSource dataSource, String schema, String instance) {
        SchemaName name = new SchemaName(schema);
        this.dataSource = unwrap(dataSource);
        this.instance = instance;
        this.jdbc = new JdbcTemplate(this.dataSource);
        this.readOnly = new ReadOnlyConnections(this.dataSource);
        this.own = new OwnTransactions(this.dataSource, jdbc, readOnly);
        this.sql = new LaneSql(name);
        this.identity = new DatabaseIdentity.Reader(jdbc);
        this.registry = new LaneRegistry(jdbc, sql);
        this.deadLetters = new DeadLetterTable(jdbc, own, name);
        this.reports = new ReportTables(jdbc, own, name);
        this.commands = new CommandTable(jdbc, own, name, instance);
    }

    /** Transactions are bound to the target of such a proxy. */
    private static DataSource unwrap(DataSource dataSource) {
        return dataSource instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null
                ? proxy.getTargetDataSource()
                : dataSource;
    }

    // ---- what exists

    @Override
    public Set<String> topics(String stream) {
        return own.run(() -> registry.topics(stream));
    }

    @Override
    public Map<String, String> settle(String stream, Map<String, String> settings) {
        return own.run(() -> registry.settle(stream, settings));
    }

    @Override
    public Set<String> register(String stream, Collection<String> topics, Map<String, LaneStart> lanes) {
        return own.run(() -> registry.register(stream, topics, lanes));
    }

    @Override
    public void add(LaneId lane, LaneStart start) {
        own.run(() -> registry.add(lane.stream(), Map.of(lane.lane(), start)));
    }

    @Override
    public Optional<Offsets> position(LaneId lane) {
        return own.run(() -> registry.position(lane));
    }

    // ---- who owns it

    @Override
    public Optional<Claim> claim(LaneId lane, UUID owner) {
        return identity.orWithout(() -> own.run(() -> claim(lane, owner, null)));
    }

    @Override
    public Optional<Claim> reclaim(LaneId lane, long epoch, UUID owner) {
        return identity.orWithout(() -> own.run(() -> claim(lane, owner, epoch)));
    }

    private Optional<Claim> claim(LaneId lane, UUID owner, @Nullable Long epoch) {
        DatabaseIdentity database = identity.read();
        List<ClaimedRow> row = jdbc.query(
                sql.claim,
                ClaimedRow.mapper(lane, owner),
                owner,
                instance,
                database.systemIdentifier(),
                database.timeline(),
                database.systemIdentifier(),
                database.timeline(),
                lane.stream(),
                lane.lane(),
                epoch,
                epoch);
        return row.stream()
                .findFirst()
                // A new statement, with a new snapshot: it sees the plan that rode along with the commit waited for.
                .map(claimed -> jdbc.queryForObject(sql.claimedPlan, claimed.planMapper(), lane.stream(), lane.lane()));
    }

    @Override
    public boolean raiseGeneration(Fence fence, int generation) {
        return own.run(() -> jdbc.update(
                        sql.raiseGeneration.one(),
                        Columns.of(List.of(fence)).fence(f -> f).integer(f -> generation)))
                > 0;
    }

    @Override
    public Holding holding(Collection<Fence> fences) {
        List<Compared> compared = own.run(() -> jdbc.query(
                sql.holding.of(fences.size()), Columns.of(fences).fence(fence -> fence), JdbcCheckpoint::compared));
        return new Holding(lanes(compared, false), lanes(compared, true));
    }

    /** A lane whose fence holds, or that a command took away. */
    private record Compared(LaneId lane, boolean commanded) {}

    private static Compared compared(ResultSet row, int number) throws SQLException {
        return new Compared(new LaneId(row.getString(1), row.getString(2)), row.getBoolean(3));
    }

    private static Set<LaneId> lanes(List<Compared> compared, boolean commanded) {
        return compared.stream()
                .filter(found -> found.commanded() == commanded)
                .map(Compared::lane)
                .collect(Collectors.toSet());
    }

    // ---- batches

    @Override
    public Set<LaneId> plan(List<PlannedBatch> plans) {
        return new HashSet<>(own.query(sql.plan.of(plans.size()), columns(plans), LANE));
    }

    private static Columns<PlannedBatch> columns(List<PlannedBatch> plans) {
        plans.forEach(planned -> requireNext(planned.fence().lastBatch(), planned.plan()));
        return Columns.of(plans)
                .fence(PlannedBatch::fence)
                .integer(planned -> planned.plan().generation())
                .text(planned -> Json.of(planned.plan().range().starts()))
                .text(planned -> Json.of(planned.plan().range().ends()));
    }

    @Override
    public Set<LaneId> commit(List<Commit> commits, List<PlannedBatch> riding) {
        requireTransaction();
        deadLetters.park(commits);
        String statement = sql.commit(commits.size(), riding.size());
        Columns<Commit> columns = CommitColumns.of(commits, instance);
        if (!riding.isEmpty()) {
            columns.and(columns(riding));
        }
        return unlessKeyConflict(() -> lanes(statement, columns), Set.of());
    }

    @Override
    public boolean plansMayRide() {
        return own.sessionsReadCommitted();
    }

    @Override
    public void limitIdleTime(Duration limit) {
        long millis = Math.min(limit.toMillis(), Integer.MAX_VALUE);
        if (!own.sessionsLimitIdleTime(millis)) {
            requireTransaction();
            jdbc.query(Settings.LIMIT_IDLE_TIME, (row, number) -> row.getString(1), millis + "ms");
        }
    }

    @Override
    public boolean answers() {
        try {
            jdbc.execute(Settings.CHECK);
            return true;
        } catch (DataAccessException failure) {
            return SqlStates.contains(failure, "25P02");
        }
    }

    @Override
    public int boundConnections() {
        return (int) TransactionSynchronizationManager.getResourceMap().keySet().stream()
                .filter(DataSource.class::isInstance)
                .count();
    }

    /** Without one, each of our statements would commit by itself, whatever becomes of the batch. */
    private void requireTransaction() {
        boolean bound = TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.hasResource(dataSource);
        if (!bound || Boolean.TRUE.equals(jdbc.execute((ConnectionCallback<Boolean>) Connection::getAutoCommit))) {
            throw new IllegalTransactionStateException("No transaction on the checkpoint's DataSource is bound to this"
                    + " thread: the transaction manager of the stream must be one for " + dataSource);
        }
    }

    // ---- out of the ordinary

    @Override
    public DeadLetterStore deadLetters() {
        return deadLetters;
    }

    @Override
    public ReportStore reports() {
        return reports;
    }

    @Override
    public String instance() {
        return instance;
    }

    @Override
    public CommandStore commands() {
        return commands;
    }

    @Override
    public boolean note(Fence fence, Trouble trouble) {
        return own.run(() -> jdbc.update(
                        sql.note.one(),
                        Columns.of(List.of(fence))
                                .fence(f -> f)
                                .integer(f -> trouble.attempts())
                                .text(f -> trouble.search().map(Json::of).orElse(null))
                                .text(f -> trouble.verdict().map(Json::of).orElse(null))))
                > 0;
    }

    @Override
    public void ended(Fence fence) {
        own.run(() -> jdbc.update(
                sql.ended, fence.owner(), fence.lane().stream(), fence.lane().lane(), fence.lastBatch() + 1));
    }

    @Override
    public void verify(boolean deferredConstraints) {
        requireTransaction();
        jdbc.execute(deferredConstraints ? Settings.CHECK_DEFERRED : Settings.CHECK);
    }

    @Override
    public boolean fail(Fence fence, String failure, @Nullable String foundTopicId) {
        Columns<Fence> columns = Columns.of(List.of(fence))
                .fence(f -> f)
                .text(f -> Json.storable(failure))
                .text(f -> foundTopicId);
        return own.run(() -> jdbc.update(sql.fail.one(), columns)) > 0;
    }

    @Override
    public boolean skip(Fence fence, Plan gap, String topicId) {
        requireNext(fence.lastBatch(), gap);
        Columns<Fence> columns = Columns.of(List.of(fence))
                .fence(f -> f)
                .integer(f -> gap.generation())
                .text(f -> Json.of(gap.range().starts()))
                .text(f -> Json.of(gap.range().ends()))
                .text(f -> topicId)
                .value(instance);
        return unlessKeyConflict(() -> own.run(() -> jdbc.update(sql.skip.one(), columns)), 0) > 0;
    }

    @Override
    public int prune(String stream, int retain) {
        return own.run(() -> jdbc.update(sql.pruneOffsetLog, stream, retain))
                + own.run(() -> jdbc.update(sql.pruneCommitLog, stream, retain));
    }

    // ---- what failures mean

    @Override
    public FailureKind classify(Throwable failure) {
        return SqlStates.classify(failure);
    }

    @Override
    public Optional<String> withoutContents(Throwable failure) {
        return ErrorText.withoutContents(failure);
    }

    @Override
    public void recover(Throwable failure) {
        readOnly.shedAfter(failure);
    }

    @Override
    public boolean isInDoubt(Throwable commitFailure) {
        return SqlStates.isInDoubt(commitFailure);
    }

    /** A row that is there already in spite of the compare: tables changed by hand, or a restore. Claiming again tells. */
    private static <T> T unlessKeyConflict(Supplier<T> statement, T conflict) {
        try {
            return statement.get();
        } catch (DataAccessException failure) {
            if (SqlStates.isKeyConflict(failure)) {
                return conflict;
            }
            throw failure;
        }
    }

    private Set<LaneId> lanes(String statement, Columns<?> columns) {
        return new HashSet<>(jdbc.query(statement, columns, LANE));
    }

    private static void requireNext(long lastBatch, Plan plan) {
        if (plan.batch() != lastBatch + 1) {
            throw new IllegalArgumentException("Batch " + plan.batch() + " doesn't follow batch " + lastBatch);
        }
    }
}
