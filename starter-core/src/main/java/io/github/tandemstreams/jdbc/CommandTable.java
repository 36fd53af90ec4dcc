package io.github.tandemstreams.jdbc;

import io.github.tandemstreams.CommandConflictException;
import io.github.tandemstreams.CommandRecord;
import io.github.tandemstreams.CommandRefusedException;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.StreamCommand.Action;
import io.github.tandemstreams.checkpoint.CommandStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/** The rows of commands. What they do is done by the triggers of their table, for whoever inserts them. */
final class CommandTable implements CommandStore {

    /** How the triggers tell why they refuse. */
    private static final String CONFLICT = "TD001";

    private static final String REFUSED = "TD002";

    private static final String COLUMNS = """
            id, stream, lane, action, target, dry_run, expected_version, issued_by, reason,
            status, result, version, problem, instance, issued_at, settled_at
            """;

    private static final String GIVE = """
            insert into tandem.operator_command (stream, lane, action, target, dry_run, expected_version,
                                                 issued_by, reason, instance)
            values (?, ?, ?, ?::jsonb, ?, ?, coalesce(?, current_user), ?, ?)
            returning\s""" + COLUMNS;

    private static final String VERSION = "select version from tandem.stream where stream = ?";

    private static final String FIND =
            "select " + COLUMNS + " from tandem.operator_command where stream = ? and id = ?";

    private static final String HISTORY = "select " + COLUMNS + """
              from tandem.operator_command
             where stream = ? and not dry_run and id < ?
             order by id desc
             limit ?
            """;

    /** The time only keeps several instances from doing the same work: what they do holds once, whoever does it. */
    private static final String IS_FREE =
            "(claimed_at is null or claimed_at < clock_timestamp() - interval '1 minute')";

    /** More than one: the first ones may have to wait for what the others don't need. */
    private static final String PENDING = """
            array(select id from tandem.operator_command
                   where stream = s.stream and status = 'pending' and {free} and action = {action}
                   order by id
                   limit 100)""".replace("{free}", IS_FREE);

    private static final String ORDERS = """
            select s.stopped, {rewinds} as rewinds, {redrives} as redrives
              from tandem.stream s
             where s.stream = ?
            """.replace("{rewinds}", PENDING.replace("{action}", "'rewind'"))
            .replace("{redrives}", PENDING.replace("{action}", "'redrive'"));

    private static final String TAKE = """
            update tandem.operator_command
               set instance = ?, claimed_at = clock_timestamp()
             where stream = ? and id = ? and status = 'pending' and {free}
            returning\s""".replace("{free}", IS_FREE) + COLUMNS;

    private static final String STILL_AT = """
            update tandem.operator_command
               set claimed_at = clock_timestamp()
             where stream = ? and id = ? and status = 'pending'
            """;

    private static final String IS_PENDING = """
            select true
              from tandem.operator_command
             where stream = ? and id = ? and status = 'pending'
               for share
            """;

    private static final String GIVE_BACK = """
            update tandem.operator_command
               set instance = null, claimed_at = null
             where stream = ? and id = ? and status = 'pending' and instance = ?
            """;

    private static final String REWIND = """
            update tandem.operator_command
               set resolved = ?::jsonb, instance = ?
             where stream = ? and id = ? and status = 'pending'
            """;

    private static final String SETTLE = """
            update tandem.operator_command
               set status = ?, problem = ?, instance = ?
             where stream = ? and id = ? and status = 'pending'
            """;

    private static final String LETTERS = """
            select l.id
              from tandem.operator_command c
             cross join lateral tandem.command_letters(c) as l (id)
             where c.stream = ? and c.id = ? and l.id > ?
             order by l.id
             limit ?
            """;

    private final JdbcTemplate jdbc;
    private final OwnTransactions own;
    private final SchemaName schema;
    private final String instance;

    /** It is asked every second. */
    private final String orders;

    CommandTable(JdbcTemplate jdbc, OwnTransactions own, SchemaName schema, String instance) {
        this.jdbc = jdbc;
        this.own = own;
        this.schema = schema;
        this.instance = instance;
        this.orders = Settings.alone(schema.in(ORDERS));
    }

    @Override
    public String instance() {
        return instance;
    }

    @Override
    public CommandRecord give(StreamCommand command) {
        StreamCommand.Target target = command.target();
        return understood(() -> Objects.requireNonNull(jdbc.queryForObject(
                schema.in(GIVE),
                CommandTable::command,
                command.stream(),
                command.lane(),
                nameOf(command.action()),
                target == null ? null : CommandJson.of(target),
                command.dryRun(),
                command.expectedVersion(),
                Json.storable(command.issuedBy()),
                Json.storable(command.reason()),
                instance)));
    }

    @Override
    public long version(String stream) {
        return own.run(() -> jdbc.queryForList(schema.in(VERSION), Long.class, stream)).stream()
                .findFirst()
                .orElse(0L);
    }

    @Override
    public Optional<CommandRecord> find(String stream, long id) {
        return own.run(() -> read(stream, id));
    }

    private Optional<CommandRecord> read(String stream, long id) {
        return jdbc.query(schema.in(FIND), CommandTable::command, stream, id).stream()
                .findFirst();
    }

    @Override
    public List<CommandRecord> history(String stream, @Nullable Long beforeId, int limit) {
        long before = beforeId == null ? Long.MAX_VALUE : beforeId;
        return own.run(() -> jdbc.query(schema.in(HISTORY), CommandTable::command, stream, before, limit));
    }

    @Override
    public Orders orders(String stream) {
        return own
                .query(
                        orders,
                        statement -> statement.setString(1, stream),
                        (row, number) ->
                                new Orders(row.getBoolean("stopped"), ids(row, "rewinds"), ids(row, "redrives")))
                .stream()
                .findFirst()
                .orElse(Orders.NONE);
    }

    @Override
    public Optional<CommandRecord> take(String stream, long id) {
        return own.run(() -> jdbc.query(schema.in(TAKE), CommandTable::command, instance, stream, id)).stream()
                .findFirst();
    }

    @Override
    public boolean stillAt(String stream, long id) {
        return own.run(() -> jdbc.update(schema.in(STILL_AT), stream, id)) > 0;
    }

    @Override
    public boolean isPending(String stream, long id) {
        return !jdbc.queryForList(schema.in(IS_PENDING), Boolean.class, stream, id)
                .isEmpty();
    }

    @Override
    public void giveBack(String stream, long id) {
        own.run(() -> jdbc.update(schema.in(GIVE_BACK), stream, id, instance));
    }

    @Override
    public CommandRecord rewind(String stream, long id, Offsets found) {
        return understood(() -> {
            jdbc.update(schema.in(REWIND), Json.of(found), instance, stream, id);
            return read(stream, id).orElseThrow();
        });
    }

    @Override
    public List<Long> letters(String stream, long id, long afterId, int limit) {
        return own.run(() -> jdbc.queryForList(schema.in(LETTERS), Long.class, stream, id, afterId, limit));
    }

    @Override
    public CommandRecord settle(String stream, long id, @Nullable String problem) {
        String status = problem == null ? "done" : "failed";
        return own.run(() -> {
            jdbc.update(schema.in(SETTLE), status, Json.storable(problem), instance, stream, id);
            return read(stream, id).orElseThrow();
        });
    }

    private <T> T understood(Supplier<T> statement) {
        try {
            return own.run(statement);
        } catch (DataAccessException failure) {
            if (SqlStates.contains(failure, CONFLICT)) {
                throw new CommandConflictException(SqlStates.message(failure), failure);
            }
            if (SqlStates.contains(failure, REFUSED)) {
                throw new CommandRefusedException(SqlStates.message(failure), failure);
            }
            throw failure;
        }
    }

    private static CommandRecord command(ResultSet row, int number) throws SQLException {
        String target = row.getString("target");
        StreamCommand command = new StreamCommand(
                row.getString("stream"),
                row.getString("lane"),
                Action.valueOf(row.getString("action").toUpperCase(Locale.ROOT)),
                target == null ? null : CommandJson.target(target),
                row.getBoolean("dry_run"),
                row.getObject("expected_version", Long.class),
                row.getString("issued_by"),
                row.getString("reason"));
        CommandJson.Result result = CommandJson.result(row.getString("result"));
        return new CommandRecord(
                row.getLong("id"),
                command,
                CommandRecord.Status.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
                result.lanes(),
                result.deadLetters(),
                row.getLong("version"),
                row.getString("problem"),
                row.getString("instance"),
                row.getTimestamp("issued_at").toInstant(),
                instant(row.getTimestamp("settled_at")));
    }

    private static String nameOf(Action action) {
        return action.name().toLowerCase(Locale.ROOT);
    }

    private static @Nullable Instant instant(@Nullable Timestamp time) {
        return time == null ? null : time.toInstant();
    }

    private static List<Long> ids(ResultSet row, String column) throws SQLException {
        return List.of((Long[]) row.getArray(column).getArray());
    }
}
