package io.github.tandemstreams.postgres;

import io.github.tandemstreams.postgres.RowMapping.Column;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Inserts or updates rows in one statement, with an array for each column.
 *
 * <p>Of rows with the same key the last one counts, or their sum. They are written in the order of their keys: two lanes
 * that update the same rows take their locks in the same order then.
 *
 * <p>Threading: safe for use by several threads.
 */
final class UpsertTarget<T> implements RowTarget<T> {

    private final String table;
    private final List<Column<T>> columns;
    private final List<String> key;
    private final List<String> added;
    private final TableColumns known;
    private final JdbcTemplate jdbc;
    private volatile @Nullable String sql;

    UpsertTarget(String table, List<Column<T>> columns, List<String> key, List<String> added, JdbcTemplate jdbc) {
        List<String> names = columns.stream().map(Column::name).toList();
        if (key.isEmpty()) {
            throw new IllegalArgumentException("Which rows of " + table + " are the same? Say key(…)");
        }
        if (!names.containsAll(key) || !names.containsAll(added)) {
            throw new IllegalArgumentException("Key " + key + " and added columns " + added
                    + " must be among the columns written to " + table + ": " + names);
        }
        this.table = table;
        this.columns = columns;
        this.key = List.copyOf(key);
        this.added = List.copyOf(added);
        this.known = new TableColumns(table, names, jdbc);
        this.jdbc = jdbc;
    }

    @Override
    public void write(Collection<? extends T> rows) {
        List<TableColumns.Type> types = known.types();
        String statement = sql;
        if (statement == null) {
            statement = sql(types);
            sql = statement;
        }
        List<String[]> arrays = arrays(rows, types);
        try {
            jdbc.update(statement, prepared -> bind(prepared, arrays));
        } catch (DataAccessException refused) {
            throw RowFailedException.of(table, rows.size(), refused);
        }
    }

    private List<@Nullable String[]> arrays(Collection<? extends T> rows, List<TableColumns.Type> types) {
        List<@Nullable String[]> arrays = columns.stream()
                .map(column -> new @Nullable String[rows.size()])
                .toList();
        int index = 0;
        for (T row : rows) {
            for (int i = 0; i < columns.size(); i++) {
                Column<T> column = columns.get(i);
                try {
                    arrays.get(i)[index] = PostgresText.of(column.value().apply(row), types.get(i));
                } catch (RuntimeException unwritable) {
                    throw new RowFailedException(table, index, column.name(), unwritable);
                }
            }
            index++;
        }
        return arrays;
    }

    private static void bind(PreparedStatement prepared, List<@Nullable String[]> arrays) throws SQLException {
        for (int i = 0; i < arrays.size(); i++) {
            prepared.setArray(i + 1, prepared.getConnection().createArrayOf("text", arrays.get(i)));
        }
    }

    /** Elements travel as text and are cast one by one: an array of arrays would be taken apart by unnest. */
    private String sql(List<TableColumns.Type> types) {
        String keys = columns.stream()
                .filter(column -> key.contains(column.name()))
                .map(Column::quoted)
                .collect(Collectors.joining(", "));
        String parameters = columns.stream().map(column -> "?::text[]").collect(Collectors.joining(", "));
        String places =
                IntStream.range(0, columns.size()).mapToObj(i -> "c" + i).collect(Collectors.joining(", "));
        String typed = IntStream.range(0, columns.size())
                .mapToObj(i -> "c" + i + "::" + types.get(i).name() + " as "
                        + columns.get(i).quoted())
                .collect(Collectors.joining(", "));
        String chosen = IntStream.range(0, columns.size())
                .mapToObj(i -> chosen(columns.get(i), types.get(i), keys))
                .collect(Collectors.joining(", "));
        String names = columns.stream().map(Column::quoted).collect(Collectors.joining(", "));
        return """
                insert into %s as t (%s)
                select %s
                  from (select distinct on (%s) %s
                          from (select %s, place from unnest(%s) with ordinality as given (%s, place)) rows
                         order by %s, place desc) lasts
                on conflict (%s) %s
                """.formatted(table, names, names, keys, chosen, typed, parameters, places, keys, keys, action());
    }

    private String chosen(Column<T> column, TableColumns.Type type, String keys) {
        return added.contains(column.name())
                ? "(sum(%s) over (partition by %s))::%s as %s"
                        .formatted(column.quoted(), keys, type.name(), column.quoted())
                : column.quoted();
    }

    private String action() {
        String changes = columns.stream()
                .filter(column -> !key.contains(column.name()))
                .map(column -> added.contains(column.name())
                        ? "%1$s = t.%1$s + excluded.%1$s".formatted(column.quoted())
                        : "%1$s = excluded.%1$s".formatted(column.quoted()))
                .collect(Collectors.joining(", "));
        return changes.isEmpty() ? "do nothing" : "do update set " + changes;
    }
}
