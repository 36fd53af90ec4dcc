package io.github.tandemstreams.postgres;

import io.github.tandemstreams.postgres.RowMapping.Column;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Where rows go: a table's columns, in the transaction that is bound to the thread.
 *
 * <p>Threading: safe for use by several threads.
 */
abstract class RowTarget<T> {

    final String table;
    final List<Column<T>> columns;
    final JdbcTemplate jdbc;
    private final DataSource dataSource;
    private final TableColumns known;

    RowTarget(String table, List<Column<T>> columns, DataSource dataSource) {
        this.table = table;
        this.columns = columns;
        this.dataSource = unwrap(dataSource);
        this.jdbc = new JdbcTemplate(this.dataSource);
        this.known = new TableColumns(table, columns.stream().map(Column::name).toList(), jdbc);
    }

    /** Transactions are bound to the target of such a proxy. */
    private static DataSource unwrap(DataSource dataSource) {
        DataSource target =
                dataSource instanceof TransactionAwareDataSourceProxy proxy ? proxy.getTargetDataSource() : null;
        return target == null ? dataSource : target;
    }

    final void write(Collection<? extends T> rows) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.hasResource(dataSource)) {
            throw new IllegalTransactionStateException("Rows for " + table + " would be committed by themselves: no"
                    + " transaction on " + dataSource + " is bound to this thread");
        }
        List<TableColumns.Type> types = known.types();
        try {
            write(rows, types);
        } catch (DataAccessException refused) {
            known.forget();
            throw RowFailedException.of(table, rows.size(), refused);
        }
    }

    abstract void write(Collection<? extends T> rows, List<TableColumns.Type> types);

    /** After rows were written in another form than the column's own text: sees that they were taken for what they are. */
    final void verify(List<TableColumns.Type> types) {
        known.verify(types);
    }

    /** What a column of a row has. */
    final @Nullable Object value(@Nullable T row, int index, int column) {
        if (row == null) {
            throw failed(
                    index,
                    null,
                    new IllegalArgumentException(
                            "it is null, as the value of a tombstone is; see the setting tombstones"));
        }
        try {
            return columns.get(column).value().apply(row);
        } catch (RuntimeException unreadable) {
            throw failed(index, column, unreadable);
        }
    }

    /** The text of that. */
    final @Nullable String text(@Nullable T row, int index, int column, TableColumns.Type type) {
        Object value = value(row, index, column);
        try {
            return PostgresText.of(value, type);
        } catch (RuntimeException unwritable) {
            throw failed(index, column, unwritable);
        }
    }

    final RowFailedException failed(int index, @Nullable Integer column, RuntimeException cause) {
        return new RowFailedException(
                table, index, column == null ? null : columns.get(column).name(), cause);
    }
}
