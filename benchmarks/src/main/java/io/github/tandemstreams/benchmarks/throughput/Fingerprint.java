package io.github.tandemstreams.benchmarks.throughput;

import io.github.tandemstreams.benchmarks.workloads.Workload;
import java.math.BigDecimal;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What two tables have in common only if they have the same rows, each the same number of times, in whatever order.
 *
 * @param rows how many
 * @param sum of their hashes
 */
public record Fingerprint(long rows, BigDecimal sum) {

    static Fingerprint of(Workload workload, JdbcTemplate jdbc) {
        String sql = "select count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) from %s t"
                .formatted(workload.table());
        return jdbc.query(sql, rows -> {
            rows.next();
            return new Fingerprint(rows.getLong(1), rows.getBigDecimal(2));
        });
    }
}
