package io.github.tandemstreams.engine;

import io.github.tandemstreams.jdbc.SchemaMigrator;
import org.junit.jupiter.api.Test;

/** Instances are rolled forward one by one, and sometimes back: the previous release must run on the next one's schema. */
class NewerSchemaTest {

    @Test
    void aReleaseRunsOnASchemaOneVersionNewer() {
        try (StreamFixture fixture = new StreamFixture(2)) {
            // What a later release may do: only add.
            fixture.jdbc.execute("alter table tandem.lane add column later text not null default 'x'");
            fixture.jdbc.execute("alter table tandem.offset_log add column later int");
            fixture.jdbc.execute("alter table tandem.commit_log add column later jsonb not null default '{}'");
            fixture.jdbc.execute("create table tandem.later (id bigint primary key)");
            fixture.jdbc.update("""
                    insert into tandem.%1$s (installed_rank, version, description, type, script, checksum, installed_by,
                                             execution_time, success)
                    select max(installed_rank) + 1, '999', 'later', 'SQL', 'V999__later.sql', 1, current_user, 1, true
                      from tandem.%1$s
                    """.formatted(historyTable(fixture)));
            new SchemaMigrator("tandem").check(fixture.unpooled);
            new SchemaMigrator("tandem").migrate(fixture.unpooled);

            Topics.produce(fixture.topic, 0, 50, i -> "v" + i);
            Topics.produce(fixture.topic, 1, 50, i -> i == 7 ? null : "v" + i);
            fixture.stream(fixture.probe()).start();
            fixture.awaitSeen(100);
            fixture.ledger.check(fixture.visible());
        }
    }

    private static String historyTable(StreamFixture fixture) {
        return fixture.jdbc.queryForObject(
                "select table_name from information_schema.columns where table_schema = 'tandem'"
                        + " and column_name = 'installed_rank'",
                String.class);
    }
}
