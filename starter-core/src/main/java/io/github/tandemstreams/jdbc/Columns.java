package io.github.tandemstreams.jdbc;

import io.github.tandemstreams.checkpoint.Fence;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.PreparedStatementSetter;

/**
 * Rows as parameters of a {@link RowsSql}: the values of a single one, or one array for each column, in the order in which
 * the columns are added. Only types that the driver knows by heart are sent; the statement casts text to the others.
 */
final class Columns<T> implements PreparedStatementSetter {

    private final List<T> rows;
    private final List<Binder> binders = new ArrayList<>();

    private Columns(Collection<T> rows) {
        this.rows = List.copyOf(rows);
    }

    static <T> Columns<T> of(Collection<T> rows) {
        return new Columns<>(rows);
    }

    /** The columns of the compare: stream, lane, epoch, owner, last_batch, position. */
    Columns<T> fence(Function<T, Fence> fence) {
        return text(row -> fence.apply(row).lane().stream())
                .text(row -> fence.apply(row).lane().lane())
                .bigint(row -> fence.apply(row).epoch())
                .text(row -> fence.apply(row).owner().toString())
                .bigint(row -> fence.apply(row).lastBatch())
                .text(row -> Json.of(fence.apply(row).position()));
    }

    Columns<T> text(Function<T, @Nullable String> column) {
        return column("text", Types.VARCHAR, column, String[]::new);
    }

    Columns<T> bigint(Function<T, @Nullable Long> column) {
        return column("int8", Types.BIGINT, column, Long[]::new);
    }

    Columns<T> integer(Function<T, @Nullable Integer> column) {
        return column("int4", Types.INTEGER, column, Integer[]::new);
    }

    Columns<T> real(Function<T, @Nullable Float> column) {
        return column("float4", Types.REAL, column, Float[]::new);
    }

    Columns<T> bool(Function<T, Boolean> column) {
        return column("bool", Types.BOOLEAN, column, Boolean[]::new);
    }

    Columns<T> bytea(Function<T, byte @Nullable []> column) {
        return column("bytea", Types.BINARY, column, byte[][]::new);
    }

    /** A parameter that is no column. */
    Columns<T> value(@Nullable Object value) {
        binders.add((statement, index) -> statement.setObject(index, value));
        return this;
    }

    /** The columns of other rows, after these. */
    Columns<T> and(Columns<?> others) {
        binders.addAll(others.binders);
        return this;
    }

    private <V> Columns<T> column(
            String type, int jdbcType, Function<T, @Nullable V> column, IntFunction<@Nullable V[]> newArray) {
        if (rows.size() == 1) {
            V value = column.apply(rows.get(0));
            binders.add((statement, index) -> statement.setObject(index, value, jdbcType));
            return this;
        }
        @Nullable V[] values = newArray.apply(rows.size());
        for (int i = 0; i < values.length; i++) {
            values[i] = column.apply(rows.get(i));
        }
        binders.add((statement, index) ->
                statement.setArray(index, statement.getConnection().createArrayOf(type, values)));
        return this;
    }

    @Override
    public void setValues(PreparedStatement statement) throws SQLException {
        for (int i = 0; i < binders.size(); i++) {
            binders.get(i).bind(statement, i + 1);
        }
    }

    @FunctionalInterface
    private interface Binder {
        void bind(PreparedStatement statement, int index) throws SQLException;
    }
}
