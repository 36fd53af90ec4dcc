package io.github.tandemstreams.benchmarks.growth;

import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * How large a table of the checkpoint is.
 *
 * @param rows that it has, as Postgres counts them
 * @param dead rows that were deleted or updated, and are still there
 * @param bytes of the table
 * @param indexBytes of its indexes
 * @param autovacuums how often Postgres has tidied it up by itself
 */
record TableSize(String table, long rows, long dead, long bytes, long indexBytes, long autovacuums) {

    private static final String ALL = """
            select relname, n_live_tup, n_dead_tup, pg_table_size(relid), pg_indexes_size(relid), autovacuum_count
              from pg_stat_user_tables where schemaname = 'tandem' order by relname
            """;

    /** Of all its tables. */
    static List<TableSize> all(JdbcTemplate jdbc) {
        return jdbc.query(
                ALL,
                (row, number) -> new TableSize(
                        row.getString(1),
                        row.getLong(2),
                        row.getLong(3),
                        row.getLong(4),
                        row.getLong(5),
                        row.getLong(6)));
    }

    @Override
    public String toString() {
        return "  %-24s %,10d rows, %,10d dead, %,10d kB, indexes %,10d kB, vacuumed %d times"
                .formatted(table, rows, dead, bytes / 1024, indexBytes / 1024, autovacuums);
    }
}
