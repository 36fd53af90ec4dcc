package io.github.tandemstreams.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Creates and updates the tables of the checkpoint, by a Flyway of its own: with its own schema and its own history table
 * there, it never touches the application's migrations. Changes only expand, so that the previous release runs on the new
 * schema.
 *
 * <p>Threading: safe for use by several threads, and by several instances at the same time.
 */
public final class SchemaMigrator {

    /** The schema if none is configured. */
    public static final String DEFAULT_SCHEMA = "tandem";

    /** Table in the schema that tells which migrations were applied. */
    static final String HISTORY_TABLE = "schema_history";

    /** Version of the newest of the {@link Scripts}. */
    static final int NEWEST_VERSION = 3;

    private static final String APPLIED_VERSION =
            "select max(version::integer) from tandem." + HISTORY_TABLE + " where success and version is not null";

    private final SchemaName schema;

    /**
     * For one schema.
     *
     * @throws SchemaException if the schema is {@code public}
     */
    public SchemaMigrator(String schema) {
        this.schema = new SchemaName(schema);
    }

    /**
     * Creates the schema, or brings it up to date, on plain connections that are closed afterwards. The address should lead
     * to the database itself. A pooler in transaction mode needs one server connection more than instances may migrate at
     * the same time: each of them holds one while it waits for its turn, and whose turn it is needs two.
     *
     * @throws SchemaException if the role may not do that
     */
    public void migrate(String url, @Nullable String user, @Nullable String password) {
        DriverManagerDataSource unpooled = new DriverManagerDataSource(url);
        if (user != null) {
            unpooled.setUsername(user);
        }
        if (password != null) {
            unpooled.setPassword(password);
        }
        migrate(unpooled);
    }

    /**
     * Creates the schema, or brings it up to date. Of one that is up to date nothing else is looked at.
     *
     * @param unpooled where to get connections; two are needed at the same time, so a pool of one would never return
     * @throws SchemaException if the role may not do that
     */
    public void migrate(DataSource unpooled) {
        if (isCurrent(unpooled)) {
            return;
        }
        try {
            Flyway.configure(SchemaMigrator.class.getClassLoader())
                    .dataSource(unpooled)
                    .defaultSchema(schema.name())
                    .schemas(schema.name())
                    .table(HISTORY_TABLE)
                    .resourceProvider(new Scripts())
                    .javaMigrationClassProvider(List::of)
                    .callbacks(new SearchPathReset())
                    .load()
                    .migrate();
        } catch (FlywayException failure) {
            if (SqlStates.contains(failure, "42501")) {
                throw SchemaException.notPermitted(schema.name(), failure);
            }
            throw failure;
        }
    }

    /**
     * Checks that the schema has the tables that this version needs, without changing anything. Newer ones are fine.
     *
     * @throws SchemaException if the tables are missing or too old, or if the role may not read them
     */
    public void check(DataSource dataSource) {
        Integer found = appliedVersion(dataSource);
        if (!isCurrent(found)) {
            throw SchemaException.outdated(
                    schema.name(), found == null ? null : found.toString(), String.valueOf(NEWEST_VERSION));
        }
    }

    /** At nearly every start it is; to ask for it costs a query, and to have Flyway find out a tenth of a start. */
    private boolean isCurrent(DataSource dataSource) {
        try {
            return isCurrent(appliedVersion(dataSource));
        } catch (SchemaException | CannotGetJdbcConnectionException unreadable) {
            return false; // Flyway finds out why
        }
    }

    private static boolean isCurrent(@Nullable Integer version) {
        return version != null && version >= NEWEST_VERSION;
    }

    private @Nullable Integer appliedVersion(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(schema.in(APPLIED_VERSION))) {
            result.next();
            return result.getObject(1, Integer.class);
        } catch (SQLException failure) {
            throw describe(failure);
        }
    }

    private RuntimeException describe(SQLException failure) {
        if (SqlStates.contains(failure, "42P01") || SqlStates.contains(failure, "3F000")) {
            return SchemaException.missing(schema.name(), String.valueOf(NEWEST_VERSION), failure);
        }
        if (SqlStates.contains(failure, "42501")) {
            return SchemaException.notPermitted(schema.name(), failure);
        }
        return new CannotGetJdbcConnectionException("Can't read the version of the checkpoint's tables", failure);
    }
}
