package io.github.tandemstreams.postgres;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.IllegalTransactionStateException;

/**
 * Writes many rows into a table of Postgres at once, in the transaction that is bound to the thread: in a handler that is
 * the batch's, so that rows and batch commit together.
 *
 * <pre>{@code
 * record Flight(Instant date, int delay, String origin) {}
 *
 * PostgresWriter<Flight> flights = PostgresWriter.copyInto("flight", Flight.class).on(dataSource);
 *
 * PostgresWriter<Flight> delays = PostgresWriter.<Flight>upsertInto("airport_delay")
 *         .column("origin", Flight::origin)
 *         .column("flights", flight -> 1)
 *         .column("total_delay", Flight::delay)
 *         .key("origin")
 *         .add("flights", "total_delay")
 *         .on(dataSource);
 * }</pre>
 *
 * <p>A writer is made once, and used for each batch. A record's components are written to the columns of their names in
 * snake case ({@code totalDelay} to {@code total_delay}); {@link Builder#column} says otherwise. Values may be null, strings,
 * numbers, booleans, enums, {@link java.util.UUID}, {@code byte[]}, dates, times, durations and periods of {@code
 * java.time}, and arrays or collections of these for columns that are arrays. Into json columns go strings as they are, and
 * anything else as Jackson writes it by default. What a column accepts is for Postgres to say: values arrive as
 * their text does, also where COPY sends them in binary. A
 * column that the database fills, such as an identity, is left to it by {@link Builder#without}.
 *
 * <p>Threading: safe for use by several threads, each in a transaction of its own.
 *
 * @param <T> what a row is made from
 */
public final class PostgresWriter<T> {

    private final RowTarget<T> target;

    private PostgresWriter(RowTarget<T> target) {
        this.target = target;
    }

    /**
     * Appends rows by COPY, the fastest way into Postgres. No row may be there yet: a duplicate key fails.
     *
     * @param table name of the table as one writes it in SQL, with its schema if need be
     * @param rows records, whose components are the columns
     */
    public static <T extends Record> Builder<T> copyInto(String table, Class<T> rows) {
        return new Builder<>(table, RowMapping.of(rows));
    }

    /** The same for rows of any kind, whose columns are yet to be given. */
    public static <T> Builder<T> copyInto(String table) {
        return new Builder<>(table, new RowMapping<>());
    }

    /**
     * Inserts rows or updates those that are there, in one statement with arrays and ON CONFLICT.
     *
     * @param table name of the table as one writes it in SQL, with its schema if need be
     * @param rows records, whose components are the columns
     */
    public static <T extends Record> UpsertBuilder<T> upsertInto(String table, Class<T> rows) {
        return new UpsertBuilder<>(table, RowMapping.of(rows));
    }

    /** The same for rows of any kind, whose columns are yet to be given. */
    public static <T> UpsertBuilder<T> upsertInto(String table) {
        return new UpsertBuilder<>(table, new RowMapping<>());
    }

    /**
     * Writes the rows: by COPY in their order, by an upsert in that of their keys.
     *
     * @param rows how many ever; the values of a batch, say
     * @throws RowFailedException if one row is known to be to blame, since a value of it can't be written, or COPY told its
     *     line: in a handler that wrote the batch's values it names the record, as any {@link
     *     io.github.tandemstreams.RecordFailedException} does
     * @throws IllegalTransactionStateException if no transaction on the DataSource is bound to the thread: what is written
     *     would stay, whatever becomes of the batch
     * @throws org.springframework.jdbc.BadSqlGrammarException if there is no such table, or it has no such columns
     * @throws org.springframework.dao.DataAccessException if Postgres refuses otherwise, and no single row is known to be to
     *     blame
     */
    public void write(Collection<? extends T> rows) {
        if (!rows.isEmpty()) {
            target.write(rows);
        }
    }

    /**
     * Describes how rows are made.
     *
     * @param <T> what a row is made from
     */
    public static sealed class Builder<T> permits UpsertBuilder {

        final String table;
        final RowMapping<T> mapping;

        Builder(String table, RowMapping<T> mapping) {
            this.table = table;
            this.mapping = mapping;
        }

        /**
         * Writes a column, in place of the record's component of that name if there is one.
         *
         * @param name of the column, unquoted
         * @param value of the column in a row; it may be asked for more than once
         */
        public Builder<T> column(String name, Function<? super T, ? extends @Nullable Object> value) {
            mapping.put(name, value);
            return this;
        }

        /**
         * Leaves columns to their defaults.
         *
         * @throws IllegalArgumentException if there is no such column
         */
        public Builder<T> without(String... columns) {
            mapping.remove(List.of(columns));
            return this;
        }

        /**
         * The writer.
         *
         * @param dataSource the one that the transactions of the handler are on
         * @throws IllegalArgumentException if there is no column to write
         */
        public PostgresWriter<T> on(DataSource dataSource) {
            return new PostgresWriter<>(new CopyTarget<>(table, mapping.columns(), dataSource));
        }
    }

    /**
     * Describes how rows are made, and which of them are the same.
     *
     * @param <T> what a row is made from
     */
    public static final class UpsertBuilder<T> extends Builder<T> {

        private final List<String> key = new ArrayList<>();
        private final List<String> added = new ArrayList<>();

        UpsertBuilder(String table, RowMapping<T> mapping) {
            super(table, mapping);
        }

        /** The columns that tell rows apart. The table needs a unique constraint or index on them. */
        public UpsertBuilder<T> key(String... columns) {
            key.addAll(List.of(columns));
            return this;
        }

        /**
         * Columns whose new value is added to what is there, as in a table of running totals; null adds nothing. In the
         * others the new value replaces the old one. Of several rows with the same key in one write, values are added up, or
         * the last one counts.
         */
        public UpsertBuilder<T> add(String... columns) {
            added.addAll(List.of(columns));
            return this;
        }

        @Override
        public UpsertBuilder<T> column(String name, Function<? super T, ? extends @Nullable Object> value) {
            super.column(name, value);
            return this;
        }

        @Override
        public UpsertBuilder<T> without(String... columns) {
            super.without(columns);
            return this;
        }

        /**
         * The writer.
         *
         * @param dataSource the one that the transactions of the handler are on
         * @throws IllegalArgumentException if there is no key, a column of it is to be added up, or key and added columns
         *     aren't among those written
         */
        @Override
        public PostgresWriter<T> on(DataSource dataSource) {
            return new PostgresWriter<>(new UpsertTarget<>(table, mapping.columns(), key, added, dataSource));
        }
    }
}
