package io.github.tandemstreams.postgres;

import io.github.tandemstreams.postgres.RowMapping.Column;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Inserts or updates rows in one statement, with an array for each column.
 *
 * <p>Of rows with the same key the last one counts, or their sum. They are written in the order of their keys: two lanes
 * that update the same rows take their locks in the same order then.
 */
final class UpsertTarget<T> extends RowTarget<T> {

    private final List<String> key;
    private final List<String> added;

    UpsertTarget(String table, List<Column<T>> columns, List<String> key, List<String> added, DataSource dataSource) {
        super(table, columns, dataSource);
        List<String> names = columns.stream().map(Column::name).toList();
        if (key.isEmpty()) {
            throw new IllegalArgumentException("Which rows of " + table + " are the same? Say key(…)");
        }
        if (!names.containsAll(key) || !names.containsAll(added) || key.stream().anyMatch(added::contains)) {
            throw new IllegalArgumentException("Key " + key + " and added columns " + added
                    + " must be different ones among the columns written to " + table + ": " + names);
        }
        this.key = List.copyOf(key);
        this.added = List.copyOf(added);
    }

    @Override
    void write(Collection<? extends T> rows, List<TableColumns.Type> types) {
        List<@Nullable String[]> arrays = columns.stream()
                .map(column -> new @Nullable String[rows.size()])
                .toList();
        int index = 0;
        for (T row : rows) {
            for (int column = 0; column < columns.size(); column++) {
                String text = text(row, index, column, types.get(column));
                if (text == null && key.contains(columns.get(column).name())) {
                    throw failed(index, column, new IllegalArgumentException("it is null, and part of the key"));
                }
                arrays.get(column)[index] = text;
            }
            index++;
        }
        jdbc.update(sql(types), prepared -> bind(prepared, arrays));
        verify(types);
    }

    private static void bind(PreparedStatement prepared, List<@Nullable String[]> arrays) throws SQLException {
        for (int i = 0; i < arrays.size(); i++) {
            prepared.setArray(i + 1, prepared.getConnection().createArrayOf("text", arrays.get(i)));
        }
    }

    /**
     * Elements travel as text and are cast one by one: an array of arrays would be taken apart by unnest. Inside, columns are
     * called by their numbers, so that no name of the table's can be taken for one of ours.
     */
    private String sql(List<TableColumns.Type> types) {
        String keys = each(i -> isKey(i) ? "c" + i : null);
        return """
                insert into %s as t (%s)
                select %s
                  from (select distinct on (%s) %s
                          from (select place, %s from unnest(%s) with ordinality as given (%s, place)) typed
                         order by %s, place desc) lasts
                on conflict (%s) %s
                """.formatted(
                table,
                each(i -> columns.get(i).quoted()),
                each(i -> "c" + i),
                keys,
                each(i -> isAdded(i)
                        ? "sum(c%1$s) over (partition by %2$s)::%3$s as c%1$s"
                                .formatted(i, keys, types.get(i).name())
                        : "c" + i),
                each(i -> "c%1$s::%2$s as c%1$s"
                        .formatted(
                                i,
                                isKey(i) ? keyType(types.get(i)) : types.get(i).name())),
                each(i -> "?::text[]"),
                each(i -> "c" + i),
                keys,
                each(i -> isKey(i) ? columns.get(i).quoted() : null),
                action());
    }

    private String action() {
        String changes = each(i -> {
            String template = isAdded(i)
                    ? "%1$s = coalesce(t.%1$s + excluded.%1$s, t.%1$s, excluded.%1$s)"
                    : "%1$s = excluded.%1$s";
            return isKey(i) ? null : template.formatted(columns.get(i).quoted());
        });
        return changes.isEmpty() ? "do nothing" : "do update set " + changes;
    }

    /** Keys are the same here if the table's index takes them for the same: else one statement would meet a row twice. */
    private static String keyType(TableColumns.Type type) {
        return type.collation() == null ? type.name() : type.name() + " collate " + type.collation();
    }

    private boolean isKey(int column) {
        return key.contains(columns.get(column).name());
    }

    private boolean isAdded(int column) {
        return added.contains(columns.get(column).name());
    }

    /** A list of what there is for each column. */
    private String each(IntFunction<@Nullable String> part) {
        return IntStream.range(0, columns.size())
                .mapToObj(part)
                .filter(Objects::nonNull)
                .collect(Collectors.joining(", "));
    }
}
