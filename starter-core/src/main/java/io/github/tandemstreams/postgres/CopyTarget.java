package io.github.tandemstreams.postgres;

import io.github.tandemstreams.postgres.RowMapping.Column;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.springframework.jdbc.core.ConnectionCallback;

/**
 * Appends rows through COPY on the transaction's own connection: in binary if there are enough of them and all the values have
 * such a form, else as text, which has a form for all.
 */
final class CopyTarget<T> extends RowTarget<T> {

    /**
     * Fewer rows go as text. What Postgres spares with bytes that it needn't read as text, some half a microsecond for each
     * row, must be more than the question after the columns' types that follows them, a fifth of a millisecond.
     */
    static final int FEWEST_ROWS_IN_BINARY = 300;

    private static final int FIRST_BYTES_PER_ROW = 64;

    /** One row that was large says little about the next ones: beyond this, room is made when it is needed. */
    private static final int MOST_BYTES_AHEAD = 1 << 20;

    private final String sql;

    /** Of the last rows. It only decides how often the bytes have to grow. */
    private volatile int bytesPerRow = FIRST_BYTES_PER_ROW;

    CopyTarget(String table, List<Column<T>> columns, DataSource dataSource) {
        super(table, columns, dataSource);
        this.sql = "copy " + table + " (" + columns.stream().map(Column::quoted).collect(Collectors.joining(", "))
                + ") from stdin";
    }

    /** All bytes are there before COPY begins: a column's function may look something up on the same connection. */
    @Override
    void write(Collection<? extends T> rows, List<TableColumns.Type> types) {
        CopyBytes binary = rows.size() < FEWEST_ROWS_IN_BINARY ? null : binary(rows, types);
        if (binary != null) {
            copy(sql + " (format binary)", binary);
            verify(types);
        } else {
            copy(sql, text(rows, types));
        }
    }

    private @Nullable CopyBytes binary(Collection<? extends T> rows, List<TableColumns.Type> types) {
        BinaryType[] known = new BinaryType[types.size()];
        for (int column = 0; column < known.length; column++) {
            BinaryType type = types.get(column).binary();
            if (type == null) {
                return null;
            }
            known[column] = type;
        }
        CopyBytes bytes = new CopyBytes(expected(rows));
        BinaryRows binary = new BinaryRows(bytes, known.length);
        int index = 0;
        for (T row : rows) {
            binary.beginRow();
            for (int column = 0; column < known.length; column++) {
                Object value = value(row, index, column);
                try {
                    if (!binary.column(value, known[column])) {
                        return null;
                    }
                } catch (RuntimeException unwritable) {
                    throw failed(index, column, unwritable);
                }
            }
            index++;
        }
        binary.end();
        return measured(bytes, rows);
    }

    private CopyBytes text(Collection<? extends T> rows, List<TableColumns.Type> types) {
        CopyBytes bytes = new CopyBytes(expected(rows));
        TextRows text = new TextRows(bytes);
        int index = 0;
        for (T row : rows) {
            for (int column = 0; column < columns.size(); column++) {
                text.column(text(row, index, column, types.get(column)));
            }
            text.endOfRow();
            index++;
        }
        return measured(bytes, rows);
    }

    private int expected(Collection<? extends T> rows) {
        return (int) Math.min(MOST_BYTES_AHEAD, (rows.size() + 1L) * bytesPerRow);
    }

    private CopyBytes measured(CopyBytes bytes, Collection<? extends T> rows) {
        bytesPerRow = bytes.size() / rows.size() + 1;
        return bytes;
    }

    private void copy(String statement, CopyBytes bytes) {
        jdbc.execute((ConnectionCallback<Long>) connection -> copy(connection, statement, bytes));
    }

    private static long copy(Connection connection, String statement, CopyBytes bytes) throws SQLException {
        CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(statement);
        try {
            copy.writeToCopy(bytes.array(), 0, bytes.size());
            return copy.endCopy();
        } finally {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }
}
