package io.github.tandemstreams.test;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * One Postgres for all tests of the JVM, with the durability that production has; each test gets a database of its own.
 * Embedded, or with {@code TANDEM_TEST_POSTGRES=container} (environment variable or system property) in a container of the
 * image {@code TANDEM_TEST_POSTGRES_IMAGE}.
 */
public final class PostgresServer {

    private static final String DEFAULT_IMAGE = "postgres:17-alpine";
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static final PGSimpleDataSource SERVER =
            setting("TANDEM_TEST_POSTGRES", "embedded").equals("container") ? container() : embedded();

    private PostgresServer() {}

    /** A new, empty database, as its owner. Connections aren't pooled. */
    public static PGSimpleDataSource newDatabase() {
        String name = "test_" + DATABASES.incrementAndGet();
        execute(SERVER, "CREATE DATABASE " + name);
        PGSimpleDataSource database = copy(SERVER);
        database.setDatabaseName(name);
        return database;
    }

    /** The same database, as another role. */
    public static PGSimpleDataSource as(PGSimpleDataSource database, String role, String password) {
        PGSimpleDataSource copy = copy(database);
        copy.setUser(role);
        copy.setPassword(password);
        return copy;
    }

    /** Port of the server that the database is on. */
    public static int port(DataSource database) {
        return ((PGSimpleDataSource) database).getPortNumbers()[0];
    }

    /** Address of the database by way of another local port, with credentials; ends so that {@code &…} may be appended. */
    public static String url(DataSource database, int port) {
        PGSimpleDataSource target = copy((PGSimpleDataSource) database);
        target.setServerNames(new String[] {"localhost"});
        target.setPortNumbers(new int[] {port});
        String credentials = "user=" + target.getUser() + "&password=" + target.getPassword();
        return target.getUrl() + (target.getUrl().contains("?") ? "&" : "?") + credentials;
    }

    /** Runs one or several statements on a connection of their own. */
    public static void execute(PGSimpleDataSource database, String sql) {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(sql, failure);
        }
    }

    private static PGSimpleDataSource embedded() {
        try {
            // Fixture defaults are fsync=off and synchronous_commit=off: what is promised depends on both.
            EmbeddedPostgres server = EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .start();
            return (PGSimpleDataSource) server.getPostgresDatabase();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @SuppressWarnings("resource") // stopped with the JVM
    private static PGSimpleDataSource container() {
        DockerImageName image = DockerImageName.parse(setting("TANDEM_TEST_POSTGRES_IMAGE", DEFAULT_IMAGE))
                .asCompatibleSubstituteFor("postgres");
        PostgreSQLContainer server = new PostgreSQLContainer(image).withCommand("postgres");
        server.start();
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(server.getJdbcUrl());
        dataSource.setUser(server.getUsername());
        dataSource.setPassword(server.getPassword());
        return dataSource;
    }

    private static PGSimpleDataSource copy(PGSimpleDataSource original) {
        PGSimpleDataSource copy = new PGSimpleDataSource();
        copy.setUrl(original.getUrl());
        copy.setUser(original.getUser());
        copy.setPassword(original.getPassword());
        return copy;
    }

    private static String setting(String name, String otherwise) {
        return Optional.ofNullable(System.getProperty(name))
                .or(() -> Optional.ofNullable(System.getenv(name)))
                .orElse(otherwise);
    }
}
