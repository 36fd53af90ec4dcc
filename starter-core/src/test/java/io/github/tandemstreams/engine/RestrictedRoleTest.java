package io.github.tandemstreams.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.tandemstreams.StreamReports;
import io.github.tandemstreams.jdbc.SchemaMigrator;
import io.github.tandemstreams.test.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** The core again, as a role that may not create anything: with just the rights that {@code docs/permissions.md} grants. */
class RestrictedRoleTest extends StreamContract {

    private static final Path DOCUMENT = Path.of("..", "docs", "permissions.md");

    @Override
    StreamFixture fixture(int partitions) {
        return restricted(partitions);
    }

    /** A fixture whose stream has a role of its own. */
    static StreamFixture restricted(int partitions) {
        PGSimpleDataSource owner = PostgresServer.newDatabase();
        new SchemaMigrator("tandem").migrate(owner);
        String role = "app_" + owner.getDatabaseName();
        PostgresServer.execute(owner, "CREATE ROLE " + role + " LOGIN PASSWORD 'secret'");
        PostgresServer.execute(owner, grants().replace("app", role));
        return new StreamFixture(partitions, owner, PostgresServer.as(owner, role, "secret"));
    }

    /** The statements as people copy them. */
    private static String grants() {
        try {
            Matcher block = Pattern.compile("(?s)```sql\n(.*?)```").matcher(Files.readString(DOCUMENT));
            assertThat(block.find()).isTrue();
            return block.group(1);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Test
    void theRoleMayTellAndReadHowFarLanesAre() {
        try (StreamFixture fixture = fixture(1)) {
            Topics.produce(fixture.topic, 0, 3, i -> "v" + i);
            StreamRuntime runtime = fixture.stream(fixture.probe());
            runtime.start();
            fixture.awaitSeen(3);
            fixture.until("its end is stored", () -> fixture.count("select count(*) from tandem.lane_end") == 1);
            StreamReports reports = new StreamOverview(() -> List.of(runtime));
            fixture.until("no lag", () -> reports.stream(fixture.name).lag().orElse(-1) == 0);
            assertThat(reports.batchOf(fixture.name, fixture.topic, 0, 0)).isPresent();
            assertThat(fixture.count("select count(*) from tandem.stream_progress"))
                    .isPositive();
        }
    }

    @Test
    void theRoleMayNotCreateAnything() {
        try (StreamFixture fixture = fixture(1)) {
            assertThatThrownBy(() -> new JdbcTemplate(fixture.database).execute("create table tandem.more (id int)"))
                    .hasStackTraceContaining("permission denied");
            new SchemaMigrator("tandem").check(fixture.database);
        }
    }
}
