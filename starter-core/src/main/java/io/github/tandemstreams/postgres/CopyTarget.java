package io.github.tandemstreams.postgres;

import io.github.tandemstreams.postgres.RowMapping.Column;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Appends rows through COPY on the transaction's own connection.
 *
 * <p>Threading: safe for use by several threads.
 */
final class CopyTarget<T> implements RowTarget<T> {

    /** Rows are sent in pieces of about this many bytes. */
    private static final int PIECE = 1 << 16;

    private final String table;
    private final List<Column<T>> columns;
    private final String sql;
    private final TableColumns known;
    private final JdbcTemplate jdbc;

    CopyTarget(String table, List<Column<T>> columns, JdbcTemplate jdbc) {
        this.table = table;
        this.columns = columns;
        this.sql = "copy " + table + " (" + columns.stream().map(Column::quoted).collect(Collectors.joining(", "))
                + ") from stdin";
        this.known = new TableColumns(table, columns.stream().map(Column::name).toList(), jdbc);
        this.jdbc = jdbc;
    }

    @Override
    public void write(Collection<? extends T> rows) {
        List<TableColumns.Type> types = known.types();
        try {
            jdbc.execute((ConnectionCallback<Long>) connection -> copy(connection, rows, types));
        } catch (DataAccessException refused) {
            throw RowFailedException.of(table, rows.size(), refused);
        }
    }

    private long copy(Connection connection, Collection<? extends T> rows, List<TableColumns.Type> types)
            throws SQLException {
        CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(sql);
        try {
            CopyBuffer buffer = new CopyBuffer();
            int index = 0;
            for (T row : rows) {
                append(buffer, row, index++, types);
                if (buffer.size() >= PIECE) {
                    send(copy, buffer);
                }
            }
            send(copy, buffer);
            return copy.endCopy();
        } finally {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }

    private void append(CopyBuffer buffer, T row, int index, List<TableColumns.Type> types) {
        for (int i = 0; i < columns.size(); i++) {
            Column<T> column = columns.get(i);
            try {
                buffer.value(PostgresText.of(column.value().apply(row), types.get(i)));
            } catch (RuntimeException unwritable) {
                throw new RowFailedException(table, index, column.name(), unwritable);
            }
            buffer.endOfColumn();
        }
        buffer.endOfRow();
    }

    private static void send(CopyIn copy, CopyBuffer buffer) throws SQLException {
        copy.writeToCopy(buffer.bytes(), 0, buffer.size());
        buffer.clear();
    }
}
