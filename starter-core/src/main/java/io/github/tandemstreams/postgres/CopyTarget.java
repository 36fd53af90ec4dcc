package io.github.tandemstreams.postgres;

import io.github.tandemstreams.postgres.RowMapping.Column;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.springframework.jdbc.core.ConnectionCallback;

/** Appends rows through COPY on the transaction's own connection. */
final class CopyTarget<T> extends RowTarget<T> {

    private final String sql;

    CopyTarget(String table, List<Column<T>> columns, DataSource dataSource) {
        super(table, columns, dataSource);
        this.sql = "copy " + table + " (" + columns.stream().map(Column::quoted).collect(Collectors.joining(", "))
                + ") from stdin";
    }

    @Override
    void write(Collection<? extends T> rows, List<TableColumns.Type> types) {
        // All of it before COPY begins: a column's function may look something up on the same connection.
        CopyBuffer buffer = new CopyBuffer();
        int index = 0;
        for (T row : rows) {
            for (int column = 0; column < columns.size(); column++) {
                buffer.value(text(row, index, column, types));
                buffer.endOfColumn();
            }
            buffer.endOfRow();
            index++;
        }
        jdbc.execute((ConnectionCallback<Long>) connection -> copy(connection, buffer));
    }

    private long copy(Connection connection, CopyBuffer buffer) throws SQLException {
        CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(sql);
        try {
            copy.writeToCopy(buffer.bytes(), 0, buffer.size());
            return copy.endCopy();
        } finally {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }
}
