package io.github.tandemstreams.jdbc;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Which database this is.
 *
 * @param systemIdentifier identity of the cluster; null if it can't be read
 * @param timeline its timeline; null if it can't be read
 */
record DatabaseIdentity(
        @Nullable Long systemIdentifier, @Nullable Integer timeline) {

    private static final DatabaseIdentity UNKNOWN = new DatabaseIdentity(null, null);

    /** Reads it in the running transaction, as long as the database allows that. Threading: any thread. */
    static final class Reader {

        private static final Logger log = LoggerFactory.getLogger(DatabaseIdentity.class);

        /** No right, no such function, not supported here. */
        private static final List<String> CANT_BE_READ = List.of("42501", "42883", "0A000");

        private final JdbcTemplate jdbc;
        private volatile boolean readable = true;

        Reader(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        DatabaseIdentity read() {
            if (!readable) {
                return UNKNOWN;
            }
            try {
                return Objects.requireNonNull(jdbc.queryForObject(
                        LaneSql.DATABASE,
                        (row, number) ->
                                new DatabaseIdentity(row.getLong("system_identifier"), row.getInt("timeline"))));
            } catch (DataAccessException failure) {
                if (CANT_BE_READ.stream().anyMatch(state -> SqlStates.contains(failure, state))) {
                    throw new UnreadableException(failure);
                }
                throw failure;
            }
        }

        /** Runs the transaction, and once more if it failed because the identity can't be read. */
        <T> T orWithout(Supplier<T> transaction) {
            try {
                return transaction.get();
            } catch (UnreadableException refused) {
                log.info(
                        "The identity of the database can't be read ({}); whether it was restored is told by the consumer"
                                + " group's metadata alone",
                        String.valueOf(refused.getCause()));
                readable = false;
                return transaction.get();
            }
        }
    }

    private static final class UnreadableException extends RuntimeException {
        UnreadableException(Throwable cause) {
            super(cause);
        }
    }
}
