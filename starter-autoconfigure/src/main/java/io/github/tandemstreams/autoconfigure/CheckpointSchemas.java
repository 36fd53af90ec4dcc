package io.github.tandemstreams.autoconfigure;

import com.zaxxer.hikari.HikariDataSource;
import io.github.tandemstreams.jdbc.SchemaMigrator;
import java.sql.DatabaseMetaData;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.DatabaseMetaDataCallback;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;

/** Creates, updates or checks the checkpoint's tables, and looks at the driver, once for each DataSource in use. */
final class CheckpointSchemas {

    private final TandemProperties.Schema settings;
    private final SchemaMigrator migrator;

    CheckpointSchemas(TandemProperties.Schema settings) {
        this.settings = settings;
        this.migrator = new SchemaMigrator(settings.name());
    }

    void prepare(Collection<StreamDatabase> databases) {
        Set<DataSource> prepared = Collections.newSetFromMap(new IdentityHashMap<>());
        for (StreamDatabase database : databases) {
            if (prepared.add(DataSources.pool(database.dataSource()))) {
                requirePostgres(database);
                BatchedInserts.check(database);
                prepare(database.dataSource());
            }
        }
    }

    private void prepare(DataSource dataSource) {
        if (!settings.migrate()) {
            migrator.check(dataSource);
            return;
        }
        migrator.migrate(forMigrations(dataSource));
        if (settings.migrationUrl() != null) {
            migrator.check(dataSource); // the address might lead to another database
        }
    }

    /** Migrations need two connections at once, more than a small pool has: they are done past it where that can be. */
    private DataSource forMigrations(DataSource dataSource) {
        HikariDataSource pool = DataSources.hikari(dataSource).orElse(null);
        if (settings.migrationUrl() != null) {
            return unpooled(settings.migrationUrl(), pool);
        }
        if (pool != null && pool.getJdbcUrl() != null) {
            return unpooled(pool.getJdbcUrl(), pool);
        }
        return settings.migrationUser() == null ? dataSource : unpooled(url(dataSource), pool);
    }

    private DataSource unpooled(String url, @Nullable HikariDataSource pool) {
        DriverManagerDataSource unpooled = new DriverManagerDataSource(url);
        if (pool != null) {
            unpooled.setConnectionProperties(pool.getDataSourceProperties());
            unpooled.setUsername(pool.getUsername());
            unpooled.setPassword(pool.getPassword());
        }
        if (settings.migrationUser() != null) {
            unpooled.setUsername(settings.migrationUser());
        }
        if (settings.migrationPassword() != null) {
            unpooled.setPassword(settings.migrationPassword());
        }
        return unpooled;
    }

    private static void requirePostgres(StreamDatabase database) {
        String product = ask(database.dataSource(), DatabaseMetaData::getDatabaseProductName);
        if (!product.equals("PostgreSQL")) {
            throw DatabaseMistakes.notPostgres(database.dataSourceName(), product);
        }
    }

    private static String url(DataSource dataSource) {
        return ask(dataSource, DatabaseMetaData::getURL);
    }

    private static String ask(DataSource dataSource, DatabaseMetaDataCallback<String> question) {
        try {
            return JdbcUtils.extractDatabaseMetaData(dataSource, question);
        } catch (MetaDataAccessException failure) {
            throw new DataAccessResourceFailureException("The DataSource of a stream gives no connection", failure);
        }
    }
}
