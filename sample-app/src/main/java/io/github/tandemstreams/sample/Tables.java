package io.github.tandemstreams.sample;

import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The sample's two tables. Several processes may start at once, so their creation takes turns. */
@Component
@ConditionalOnBooleanProperty(name = "sample.consume", matchIfMissing = true)
class Tables implements InitializingBean {

    private static final long LOCK = 7_261_554_032L;

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;

    Tables(JdbcTemplate jdbc, PlatformTransactionManager transactionManager) {
        this.jdbc = jdbc;
        this.transaction = new TransactionTemplate(transactionManager);
    }

    @Override
    public void afterPropertiesSet() {
        transaction.executeWithoutResult(status -> {
            jdbc.query("SELECT pg_advisory_xact_lock(?)", row -> {}, LOCK);
            jdbc.execute("""
                    CREATE TABLE IF NOT EXISTS flight (
                        date text NOT NULL, delay integer NOT NULL, distance integer NOT NULL,
                        origin text NOT NULL, destination text NOT NULL)
                    """);
            jdbc.execute("""
                    CREATE TABLE IF NOT EXISTS airport_delay (
                        origin text PRIMARY KEY, flights bigint NOT NULL,
                        total_delay bigint NOT NULL, total_distance bigint NOT NULL)
                    """);
        });
    }

    /** What the tables hold, as lines for people. */
    List<String> summary() {
        String totals = jdbc.queryForObject("""
                SELECT format('%s flights in table flight; airport_delay: %s airports, %s flights, delay %s, distance %s',
                              (SELECT count(*) FROM flight), count(*), sum(flights), sum(total_delay), sum(total_distance))
                  FROM airport_delay
                """, String.class);
        List<String> worst = jdbc.queryForList("""
                SELECT format('  %s  %s min a flight, %s flights', origin, round(1.0 * total_delay / flights, 1), flights)
                  FROM airport_delay ORDER BY 1.0 * total_delay / flights DESC, origin LIMIT 10
                """, String.class);
        return Stream.concat(Stream.of(String.valueOf(totals), "The worst mean delays:"), worst.stream())
                .toList();
    }
}
