package io.github.tandemstreams.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.tandemstreams.jdbc.SchemaException.Problem;
import io.github.tandemstreams.test.PostgresServer;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.jdbc.core.simple.JdbcClient;

class SchemaMigratorTest {

    private final PGSimpleDataSource database = PostgresServer.newDatabase();
    private final JdbcClient client = JdbcClient.create(database);

    @Test
    @Tag("J11")
    void fiveInstancesMayStartAtOnceOnAnEmptyDatabase() throws Exception {
        Callable<Void> start = () -> {
            new SchemaMigrator("tandem").migrate(database);
            return null;
        };
        ExecutorService instances = Executors.newFixedThreadPool(5);
        try {
            List<Future<Void>> started = instances.invokeAll(
                    IntStream.range(0, 5).mapToObj(i -> start).toList());
            for (Future<Void> one : started) {
                one.get();
            }
        } finally {
            instances.shutdownNow();
        }
        assertThat(tables("tandem")).contains("stream", "lane", "offset_log", "commit_log", "dead_letter", "batch");
        assertThat(tables("public")).isEmpty();
        assertThat(count("SELECT count(*) FROM tandem.schema_history WHERE type = 'SQL'"))
                .isEqualTo(SchemaMigrator.NEWEST_VERSION);
    }

    @Test
    void leavesTheApplicationsOwnMigrationsAlone() {
        PostgresServer.execute(
                database, "CREATE TABLE public.flyway_schema_history (x int); CREATE TABLE orders (x int)");
        new SchemaMigrator("tandem").migrate(database);
        new SchemaMigrator("tandem").migrate(database);
        assertThat(tables("public")).containsExactlyInAnyOrder("flyway_schema_history", "orders");
    }

    @Test
    void theSchemaMayHaveAnyNameButPublic() {
        new SchemaMigrator("My \"checkpoint\"").migrate(database);
        new SchemaMigrator("My \"checkpoint\"").check(database);
        assertThat(tables("My \"checkpoint\"")).contains("lane");
        assertThat(new JdbcCheckpoint(database, "My \"checkpoint\"", "test").topics("flights"))
                .isEmpty();

        assertProblem(() -> new SchemaMigrator("public"), Problem.PUBLIC);
        assertProblem(() -> new JdbcCheckpoint(database, "public", "test"), Problem.PUBLIC);
        assertThatThrownBy(() -> new SchemaMigrator("pg_catalog")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void migratesOverAnAddress() {
        new SchemaMigrator("tandem").migrate(database.getUrl(), database.getUser(), database.getPassword());
        assertThat(tables("tandem")).contains("lane");
    }

    @Test
    void saysThatTheRoleMayNotCreateTheSchema() {
        PGSimpleDataSource role = role("may_not_create");
        assertProblem(() -> new SchemaMigrator("tandem").migrate(role), Problem.NOT_PERMITTED);
    }

    @Test
    void aSchemaMadeByTheAdministratorNeedsNoRightOnTheDatabase() {
        PGSimpleDataSource role = role("owns_schema");
        PostgresServer.execute(database, "CREATE SCHEMA tandem AUTHORIZATION owns_schema");
        new SchemaMigrator("tandem").migrate(role);
        new SchemaMigrator("tandem").check(role);
    }

    @Test
    void checkNeedsNoMoreThanToRead() {
        new SchemaMigrator("tandem").migrate(database);
        PGSimpleDataSource role = role("may_read");
        assertProblem(() -> new SchemaMigrator("tandem").check(role), Problem.NOT_PERMITTED);
        PostgresServer.execute(
                database,
                "GRANT USAGE ON SCHEMA tandem TO may_read; GRANT SELECT ON tandem.schema_history TO may_read");
        new SchemaMigrator("tandem").check(role);
    }

    @Test
    void checkFindsMissingAndOutdatedTables() {
        SchemaMigrator migrator = new SchemaMigrator("tandem");
        assertProblem(() -> migrator.check(database), Problem.MISSING);
        migrator.migrate(database);
        PostgresServer.execute(database, "DELETE FROM tandem.schema_history WHERE version IS NOT NULL");
        assertProblem(() -> migrator.check(database), Problem.OUTDATED);
    }

    @Test
    void thisReleaseRunsOnANewerSchema() {
        SchemaMigrator migrator = new SchemaMigrator("tandem");
        migrator.migrate(database);
        PostgresServer.execute(database, """
                INSERT INTO tandem.schema_history
                SELECT 100, '100', 'later', 'SQL', 'V100__later.sql', 0, installed_by, now(), 1, true
                  FROM tandem.schema_history LIMIT 1
                """);
        migrator.check(database);
        migrator.migrate(database);
    }

    @Test
    void knowsItsScripts() throws Exception {
        // From a folder or from a jar, whichever the build has on the class path.
        Resource[] scripts =
                new PathMatchingResourcePatternResolver().getResources("classpath:" + Scripts.FOLDER + "*");
        assertThat(Stream.of(scripts).map(Resource::getFilename)).containsExactlyInAnyOrderElementsOf(Scripts.NAMES);
        assertThat(Scripts.NAMES.stream().mapToInt(name -> Integer.parseInt(name.substring(1, name.indexOf("__")))))
                .hasSize(SchemaMigrator.NEWEST_VERSION)
                .contains(SchemaMigrator.NEWEST_VERSION);
    }

    @Test
    void aFlywayThatLooksIntoTheFolderFindsTheSame() {
        new SchemaMigrator("tandem").migrate(database);
        Flyway.configure()
                .dataSource(database)
                .defaultSchema("tandem")
                .table(SchemaMigrator.HISTORY_TABLE)
                .locations("classpath:" + Scripts.FOLDER)
                .failOnMissingLocations(true)
                .load()
                .validate();
    }

    private static void assertProblem(Runnable action, Problem problem) {
        assertThatThrownBy(action::run)
                .isInstanceOfSatisfying(
                        SchemaException.class,
                        exception -> assertThat(exception.problem()).isEqualTo(problem));
    }

    private PGSimpleDataSource role(String name) {
        PostgresServer.execute(database, "CREATE ROLE " + name + " LOGIN PASSWORD 'secret'");
        return PostgresServer.as(database, name, "secret");
    }

    private List<String> tables(String schema) {
        return client.sql("SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                        + " WHERE n.nspname = ? AND relkind IN ('r', 'v')")
                .param(schema)
                .query(String.class)
                .list();
    }

    private int count(String sql) {
        return client.sql(sql).query(Integer.class).single();
    }
}
