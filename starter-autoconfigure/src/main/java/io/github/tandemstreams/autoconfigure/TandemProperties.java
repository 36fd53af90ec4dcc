package io.github.tandemstreams.autoconfigure;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What {@code tandem.*} configures. What isn't set for a stream is taken from the defaults, what isn't set there from the
 * constants of the engine.
 *
 * @param enabled Whether streams run in this application.
 * @param schema Where the checkpoint is.
 * @param health When a stream isn't healthy.
 * @param defaults Settings of all streams that don't set their own.
 * @param streams Settings of each stream, by its name. The keys are those of 'tandem.defaults'.
 */
@ConfigurationProperties("tandem")
public record TandemProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue Schema schema,
        @DefaultValue Health health,
        @NestedConfigurationProperty @DefaultValue StreamProperties defaults,
        @DefaultValue Map<String, StreamProperties> streams) {

    /** What the stream itself and the defaults set. */
    StreamProperties stream(String name) {
        StreamProperties own = streams.get(name);
        return own == null ? defaults : own.over(defaults);
    }

    /**
     * When a stream isn't healthy.
     *
     * @param stalledAfter How long a lane may have records and commit none, or a stream fail to start or to read, before its
     *     health is DOWN.
     */
    public record Health(@DefaultValue("5m") Duration stalledAfter) {}

    /**
     * Where the checkpoint is.
     *
     * @param name Schema of the checkpoint's tables, in the database of the stream. Can't be 'public'.
     * @param migrate Whether the tables are created and updated on start. Otherwise their version is checked.
     * @param migrationUrl JDBC URL for migrations, to be used when the DataSource leads to a pooler such as PgBouncer, or
     *     when its role isn't allowed to create tables. By default, the DataSource's own URL.
     * @param migrationUser User for migrations. By default, the DataSource's own user.
     * @param migrationPassword Password for migrations. By default, the DataSource's own password.
     */
    public record Schema(
            @DefaultValue("tandem") String name,
            @DefaultValue("true") boolean migrate,
            @Nullable String migrationUrl,
            @Nullable String migrationUser,
            @Nullable String migrationPassword) {

        @Override
        public String toString() {
            return "Schema[name=" + name + ", migrate=" + migrate + "]"; // a record would print the password
        }
    }
}
