package io.github.tandemstreams.autoconfigure;

import java.util.Objects;
import org.postgresql.core.BaseConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/** Tells of the driver's setting that batched inserts are slow without. */
final class BatchedInserts {

    private static final Logger log = LoggerFactory.getLogger(BatchedInserts.class);

    /** Of a driver that isn't Postgres' own, or is hidden by a wrapper, nothing is known. */
    private static final ConnectionCallback<Boolean> ARE_SENT_ONE_BY_ONE = connection -> connection.isWrapperFor(
                    BaseConnection.class)
            && !connection.unwrap(BaseConnection.class).getQueryExecutor().isReWriteBatchedInsertsEnabled();

    private BatchedInserts() {}

    static void check(StreamDatabase database) {
        boolean oneByOne = Objects.requireNonNull(new JdbcTemplate(database.dataSource()).execute(ARE_SENT_ONE_BY_ONE));
        if (oneByOne) {
            log.info(
                    "DataSource '{}': the JDBC driver sends each row of a batchUpdate as a statement of its own. With"
                            + " its property reWriteBatchedInserts=true (in the URL, or for HikariCP in"
                            + " spring.datasource.hikari.data-source-properties) it puts many rows into one;"
                            + " PostgresWriter writes all rows at once without any setting.",
                    database.dataSourceName());
        }
    }
}
