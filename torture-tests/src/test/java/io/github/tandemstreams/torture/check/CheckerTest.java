package io.github.tandemstreams.torture.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.jdbc.SchemaMigrator;
import io.github.tandemstreams.torture.app.Chain;
import io.github.tandemstreams.torture.app.Tables;
import io.github.tandemstreams.torture.input.Message;
import io.github.tandemstreams.torture.input.Visible;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** The checker itself: it is content with an exact history, and finds each fault planted into one. */
class CheckerTest {

    /** Two partitions; in the first, offset 2 is a transaction's marker. */
    private static final List<Visible> TOPIC = List.of(
            record(0, 0, "plain-p-0"),
            record(0, 1, "slow-p-1"),
            record(0, 3, "tombstone-t1-0"),
            record(0, 4, "undecodable-p-2"),
            record(0, 5, "plain-p-3"),
            record(1, 0, "plain-p-4"),
            record(1, 1, "bad-p-5"));

    private static final Map<Integer, Long> GROUP = Map.of(0, 6L, 1, 0L);

    private static EmbeddedPostgres server;
    private static DataSource database;
    private static JdbcTemplate jdbc;

    @BeforeAll
    static void createTables() throws IOException {
        server = EmbeddedPostgres.start();
        database = server.getPostgresDatabase();
        jdbc = new JdbcTemplate(database);
        new SchemaMigrator("tandem").migrate(database);
        Tables.create(jdbc);
    }

    @AfterAll
    static void stopServer() throws IOException {
        server.close();
    }

    @BeforeEach
    void writeAnExactHistory() {
        jdbc.execute("truncate seen, running, tandem.lane, tandem.offset_log, tandem.commit_log, tandem.dead_letter");
        batch(0, 0, 0, 3, 2, 0, 1);
        batch(0, 1, 3, 5, 1, 1, 1);
        batch(0, 2, 5, 6, 1, 0, 4);
        batch(1, 0, 0, 2, 1, 1, 2);
        lane(0, 4, 2, 6);
        lane(1, 2, 0, 2);
        seen(0, 0, 0);
        seen(1, 0, 0);
        seen(2, 0, 1);
        dead(3, 0, 1);
        seen(4, 0, 2);
        seen(5, 1, 0);
        dead(6, 1, 0);
        running(0, TOPIC.get(0), TOPIC.get(1), TOPIC.get(2), TOPIC.get(4));
        running(1, TOPIC.get(5));
    }

    @Test
    void isContentWithAnExactHistory() {
        assertThat(violations()).isEmpty();
    }

    @Test
    void findsARecordThatWasSeenTwice() {
        seen(4, 0, 2);

        assertThat(violations())
                .containsExactly("INV1: 0@5 (plain-p-3) was seen 2 times, in batches {2,2} by {app-1,app-1}");
    }

    @Test
    void findsARecordThatIsMissing() {
        jdbc.update("delete from seen where key = 'slow-p-1'");

        assertThat(violations()).containsExactly("INV1: 0@1 (slow-p-1) is neither seen nor a dead letter");
    }

    @Test
    void findsADeadLetterThatIsMissing() {
        jdbc.update("delete from tandem.dead_letter where partition = 1");

        assertThat(violations()).containsExactly("INV1: 1@1 (bad-p-5) is neither seen nor a dead letter");
    }

    @Test
    void findsARecordThatIsBothSeenAndDead() {
        seen(3, 0, 1);

        assertThat(violations())
                .contains("INV4: 0@4 (undecodable-p-2) is both seen and a dead letter")
                .contains("INV1: 0@4 (undecodable-p-2) was seen, and no handler can bear it");
    }

    @Test
    void findsAGoodRecordThatWasParked() {
        jdbc.update("delete from seen where key = 'plain-p-4'");
        dead(5, 1, 0);

        assertThat(violations()).containsExactly("INV1: 1@0 (plain-p-4) is a dead letter: java.lang.Exception planted");
    }

    @Test
    void findsARecordThatWasNeverCommitted() {
        insertSeen(0, 2, "plain-t1-9", null, 0);

        assertThat(violations())
                .containsExactly("INV1: 0@2 (plain-t1-9) is seen, and was never committed to the topic");
    }

    @Test
    void findsAValueThatChanged() {
        jdbc.update("update seen set val = 'other' where key = 'plain-p-0'");
        jdbc.update("update tandem.dead_letter set value = 'other' where partition = 0");

        assertThat(violations())
                .containsExactly(
                        "INV1: 0@0 was seen as (plain-p-0, other) instead of (plain-p-0, plain-p-0/0)",
                        "INV1: 0@4 (undecodable-p-2) is a dead letter with other bytes");
    }

    @Test
    void findsAnotherOrder() {
        running(0, TOPIC.get(1), TOPIC.get(0), TOPIC.get(2), TOPIC.get(4));

        assertThat(violations()).singleElement().asString().startsWith("INV1: 0: the order of effects");
    }

    @Test
    void findsAPartitionThatNobodyReads() {
        jdbc.update("delete from tandem.lane where lane = 'torture-1'");

        assertThat(violations()).contains("INV1: 1: stands at , though the topic has committed records up to 1");
    }

    @Test
    void findsAGapInTheIds() {
        jdbc.update("update tandem.commit_log set batch = 3 where lane = 'torture-0' and batch = 2");
        jdbc.update("update tandem.offset_log set batch = 3 where lane = 'torture-0' and batch = 2");
        jdbc.update("update tandem.lane set last_batch = 3 where lane = 'torture-0'");
        jdbc.update("update seen set batch_id = 3 where key = 'plain-p-3'");

        assertThat(violations()).containsExactly("INV2: torture-0: batch 3 stands where 2 should");
    }

    @Test
    void findsRangesThatDoNotTouch() {
        jdbc.update("""
                update tandem.offset_log set starts = '{"torture-0": 2}' where lane = 'torture-0' and batch = 1
                """);

        assertThat(violations())
                .containsExactly("INV2: torture-0: batch 1 starts at 2, but the one before it ended at 3");
    }

    @Test
    void findsAPlanWithoutCommit() {
        jdbc.update("delete from tandem.commit_log where lane = 'torture-0' and batch = 1");

        assertThat(violations()).contains("INV2: torture-0: batch 1 has a plan, but no commit");
    }

    @Test
    void allowsThePlanOfTheNextBatch() {
        plan(0, 3, 6, 8);

        assertThat(violations()).isEmpty();
    }

    @Test
    void findsABatchThatDoesNotHoldWhatItSays() {
        jdbc.update("update tandem.commit_log set records = 2 where lane = 'torture-0' and batch = 2");

        assertThat(violations())
                .containsExactly("INV2: torture-0: batch 2 is committed, with 2 records and 0 dead letters, its range 5"
                        + " to 6 holds 1 and 0");
    }

    @Test
    void findsARowOfAnotherBatch() {
        jdbc.update("update seen set batch_id = 1 where key = 'plain-p-3'");

        assertThat(violations()).containsExactly("INV2: 0@5 (seen) was written by batch 1, whose range is 3 to 5");
    }

    @Test
    void findsALaneThatDisagreesWithItsLog() {
        jdbc.update("update tandem.lane set state = 'failed', failure = 'planted' where lane = 'torture-1'");

        assertThat(violations())
                .containsExactly("INV2: torture-1: stands failed at batch 0 and offset 2, its last commit is batch 0 up"
                        + " to 2: planted");
    }

    @Test
    void findsAnEpochThatFalls() {
        jdbc.update("update tandem.commit_log set epoch = 3 where lane = 'torture-0' and batch = 0");

        assertThat(violations())
                .containsExactly("INV3: torture-0: batch 1 was committed in epoch 1, the one before it in 3");
    }

    @Test
    void findsACommitBeyondTheEpochOfTheLane() {
        jdbc.update("update tandem.lane set epoch = 3 where lane = 'torture-0'");

        assertThat(violations()).containsExactly("INV3: torture-0: stands at epoch 3, and has a commit in epoch 4");
    }

    @Test
    void findsAnAdvisoryLockThatIsLeft() throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute("select pg_advisory_lock(1)");

            assertThat(violations()).singleElement().asString().startsWith("INV5: advisory lock of session");
        }
    }

    @Test
    void findsASessionThatSitsInATransaction() throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            connection.createStatement().execute("select 1");
            jdbc.execute("select pg_sleep(3.1)"); // what sits there for less is at work

            assertThat(violations()).singleElement().asString().contains("is idle in transaction");
            connection.rollback();
        }
    }

    @Test
    void findsAGroupThatIsAhead() {
        assertThat(new Checker(jdbc).violations(TOPIC, Map.of(0, 7L)))
                .containsExactly("INV6: 0: Kafka's group stands at 7, Postgres at 6");
    }

    private List<String> violations() {
        return new Checker(jdbc).violations(TOPIC, GROUP);
    }

    private static Visible record(int partition, long offset, String id) {
        return new Visible(partition, offset, Message.of(id));
    }

    private void seen(int record, int partition, long batch) {
        Visible visible = TOPIC.get(record);
        insertSeen(
                partition,
                visible.offset(),
                visible.message().id(),
                visible.message().seen(),
                batch);
    }

    private void insertSeen(int partition, long offset, String key, String value, long batch) {
        jdbc.update(
                "insert into seen values ('torture', ?, ?, ?, ?, ?, 'app-1')", partition, offset, key, value, batch);
    }

    private void dead(int record, int partition, long batch) {
        Visible visible = TOPIC.get(record);
        jdbc.update(
                """
                insert into tandem.dead_letter (stream, topic, partition, record_offset, lane, batch, key, value,
                                                cause_class, message)
                values ('torture', 'torture', ?, ?, 'torture-' || ?, ?, ?, ?, 'java.lang.Exception', 'planted')
                """,
                partition,
                visible.offset(),
                partition,
                batch,
                visible.message().key(),
                visible.message().value());
    }

    private void running(int partition, Visible... records) {
        Chain chain = Chain.START;
        for (Visible record : records) {
            chain = chain.with(record.offset(), record.message().id());
        }
        jdbc.update("delete from running where part = ?", partition);
        jdbc.update("insert into running values ('torture', ?, ?, ?)", partition, chain.length(), chain.hash());
    }

    private void lane(int partition, long epoch, long lastBatch, long position) {
        jdbc.update("""
                insert into tandem.lane (stream, lane, epoch, last_batch, position)
                values ('torture', 'torture-' || ?, ?, ?, jsonb_build_object('torture-' || ?, ?))
                """, partition, epoch, lastBatch, partition, position);
    }

    private void batch(int partition, long batch, long start, long end, int records, int deadLetters, long epoch) {
        plan(partition, batch, start, end);
        jdbc.update("""
                insert into tandem.commit_log (stream, lane, batch, generation, epoch, records, dead_letters,
                                               committed_at)
                values ('torture', 'torture-' || ?, ?, 0, ?, ?, ?, now())
                """, partition, batch, epoch, records, deadLetters);
    }

    private void plan(int partition, long batch, long start, long end) {
        jdbc.update("""
                insert into tandem.offset_log (stream, lane, batch, generation, starts, ends)
                values ('torture', 'torture-' || ?, ?, 0,
                        jsonb_build_object('torture-' || ?, ?), jsonb_build_object('torture-' || ?, ?))
                """, partition, batch, partition, start, partition, end);
    }
}
