package io.github.tandemstreams.autoconfigure;

import com.zaxxer.hikari.HikariDataSource;
import java.util.Collection;
import java.util.IdentityHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns of pools that are too small for the streams. They work, but workers wait for each other. */
final class PoolSizes {

    private static final Logger log = LoggerFactory.getLogger(PoolSizes.class);

    private PoolSizes() {}

    static void check(Collection<TandemStream> streams) {
        IdentityHashMap<HikariDataSource, Integer> workers = new IdentityHashMap<>();
        IdentityHashMap<HikariDataSource, String> names = new IdentityHashMap<>();
        for (TandemStream stream : streams) {
            DataSources.hikari(stream.database().dataSource()).ifPresent(pool -> {
                workers.merge(pool, stream.concurrency(), Integer::sum);
                names.putIfAbsent(pool, stream.database().dataSourceName());
            });
        }
        workers.forEach((pool, needed) -> {
            if (pool.getMaximumPoolSize() < needed + 1) {
                log.warn(
                        "The connection pool of DataSource '{}' is too small: the streams' {} workers need a connection"
                                + " each, and one more is needed for claims and housekeeping, but its maximum size is {}."
                                + " Workers and the rest of the application will wait for each other. Set"
                                + " spring.datasource.hikari.maximum-pool-size (or that of your own pool) to {} at least,"
                                + " or lower tandem.streams.<name>.concurrency.",
                        names.get(pool),
                        needed,
                        pool.getMaximumPoolSize(),
                        needed + 1);
            }
        });
    }
}
