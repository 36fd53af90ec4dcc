package io.github.tandemstreams.benchmarks.servers;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** A Postgres that writes each commit to the disk before it answers. */
public final class Postgres implements AutoCloseable {

    /** What isn't Postgres' default. Commits are stamped, so that their times are the server's and no contender's. */
    private static final Map<String, String> SETTINGS = new TreeMap<>(Map.of(
            "fsync", "on",
            "synchronous_commit", "on",
            "full_page_writes", "on",
            "shared_buffers", "512MB",
            "max_wal_size", "8GB",
            "checkpoint_timeout", "15min",
            "track_commit_timestamp", "on",
            "idle_in_transaction_session_timeout", "60s"));

    private final EmbeddedPostgres server;
    private int databases;

    private Postgres(EmbeddedPostgres server) {
        this.server = server;
    }

    static Postgres start(Path directory) throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder().setDataDirectory(directory.resolve("postgres"));
        SETTINGS.forEach(builder::setServerConfig);
        return new Postgres(builder.start());
    }

    /** A new database. The checkpoint before it, so that no run pays for the writes of the one before. */
    public Database newDatabase() {
        return newDatabase("template1");
    }

    /** One with the same pages, the unused ones among them. Nobody may be connected to the original. */
    public Database copyOf(Database original) {
        return newDatabase(original.name());
    }

    private Database newDatabase(String template) {
        JdbcTemplate jdbc = new JdbcTemplate(server.getPostgresDatabase());
        String name = "run_" + ++databases;
        jdbc.execute("create database " + name + " template " + template);
        jdbc.execute("checkpoint");
        return new Database(this, name);
    }

    String url(String database) {
        return server.getJdbcUrl("postgres", database);
    }

    DataSource dataSource(String database) {
        return server.getDatabase("postgres", database);
    }

    void drop(String database) {
        new JdbcTemplate(server.getPostgresDatabase()).execute("drop database " + database + " with (force)");
    }

    /** What isn't its default. */
    public Map<String, String> settings() {
        return SETTINGS;
    }

    /** What it says of itself. */
    public String version() {
        return String.valueOf(
                new JdbcTemplate(server.getPostgresDatabase()).queryForObject("show server_version", String.class));
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
