package io.github.tandemstreams.jdbc;

import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.checkpoint.Claim;
import io.github.tandemstreams.checkpoint.Fence;
import io.github.tandemstreams.checkpoint.Plan;
import io.github.tandemstreams.checkpoint.Trouble;
import io.github.tandemstreams.source.LaneId;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;

/** The lane's row as the first statement of a claim returns it. */
record ClaimedRow(
        Fence fence,
        int generation,
        String topicId,
        int deadInARow,
        LaneState state,
        @Nullable String failure) {

    static RowMapper<ClaimedRow> mapper(LaneId lane, UUID owner) {
        return (row, number) -> new ClaimedRow(
                new Fence(
                        lane,
                        row.getLong("epoch"),
                        owner,
                        row.getLong("last_batch"),
                        Json.offsets(row.getString("position"))),
                row.getInt("generation"),
                Optional.ofNullable(row.getString("topic_id")).orElse(""),
                row.getInt("dead_in_a_row"),
                LaneState.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                row.getString("failure"));
    }

    /** Adds what the second statement returns. */
    RowMapper<Claim> planMapper() {
        return (row, number) -> new Claim(
                fence,
                generation,
                topicId,
                row.getBoolean("stopped") && state == LaneState.ACTIVE ? LaneState.STOPPED : state,
                failure,
                plan(row),
                trouble(row),
                deadInARow,
                lastCommitEpoch(row));
    }

    private static Optional<Plan> plan(ResultSet row) throws SQLException {
        long batch = row.getLong("batch");
        if (row.wasNull()) {
            return Optional.empty();
        }
        OffsetRange range = new OffsetRange(Json.offsets(row.getString("starts")), Json.offsets(row.getString("ends")));
        return Optional.of(new Plan(batch, row.getInt("generation"), range));
    }

    private static Trouble trouble(ResultSet row) throws SQLException {
        return new Trouble(
                row.getInt("attempts"),
                begun(row),
                Optional.ofNullable(row.getString("search")).map(Json::search),
                Optional.ofNullable(row.getString("verdict")).map(Json::verdict));
    }

    private static Set<UUID> begun(ResultSet row) throws SQLException {
        Array owners = row.getArray("begun");
        return owners == null ? Set.of() : Set.of((UUID[]) owners.getArray());
    }

    private static OptionalLong lastCommitEpoch(ResultSet row) throws SQLException {
        long epoch = row.getLong("epoch");
        return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(epoch);
    }
}
