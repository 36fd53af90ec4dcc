package io.github.tandemstreams.jdbc;

import static io.github.tandemstreams.checkpoint.SampleBatches.claim;
import static io.github.tandemstreams.checkpoint.SampleBatches.lane;
import static io.github.tandemstreams.checkpoint.SampleBatches.unplanned;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.RecordHeader;
import io.github.tandemstreams.checkpoint.Commit;
import io.github.tandemstreams.checkpoint.Fence;
import io.github.tandemstreams.checkpoint.SampleBatches;
import io.github.tandemstreams.sink.DeadLetter;
import io.github.tandemstreams.source.RawRecord;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** What is parked is what was read, to the byte. */
class DeadLetterTableTest {

    private static final Throwable CAUSE = new IllegalStateException("no");

    private final CheckpointFixture fixture = new CheckpointFixture();
    private Fence fence;

    @BeforeEach
    void claimed() {
        fixture.register(1);
        fence = claim(fixture.a, lane(0)).fence();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void bytesAreKeptAsTheyWere() {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        park(
                letter(100, all, all, CAUSE),
                letter(101, new byte[0], null, CAUSE),
                letter(102, null, new byte[0], CAUSE));
        assertThat(bytes("key", 100)).isEqualTo(all);
        assertThat(bytes("value", 100)).isEqualTo(all);
        assertThat(bytes("key", 101)).isEmpty();
        assertThat(bytes("value", 101)).isNull();
        assertThat(bytes("key", 102)).isNull();
        assertThat(bytes("value", 102)).isEmpty();
    }

    @Test
    void headersAreKeptInTheirOrder() {
        byte[] value = {0, -1, '"', '\\'};
        List<RecordHeader> headers = List.of(
                new RecordHeader("trace", value),
                new RecordHeader("trace", null),
                new RecordHeader("na\0me \"{}\\,ü", new byte[0]));
        RawRecord record = new RawRecord("flights", 0, 100, 1_700_000_000_123L, null, null, headers);
        park(DeadLetter.of(record, CAUSE));

        var stored = JsonMapper.shared().readTree(one("select headers::text from tandem.dead_letter", String.class));
        assertThat(stored).hasSize(3);
        for (int i = 0; i < 3; i++) {
            assertThat(stored.get(i).get("name").asString())
                    .isEqualTo(headers.get(i).name());
        }
        assertThat(Base64.getDecoder().decode(stored.get(0).get("value").asString()))
                .isEqualTo(value);
        assertThat(stored.get(1).get("value").isNull()).isTrue();
        assertThat(stored.get(2).get("value").asString()).isEmpty();
    }

    @Test
    void whereItCameFromAndWhyIsKept() {
        RawRecord record = new RawRecord("flights", 0, 100, 1_700_000_000_123L, null, null, List.of());
        park(DeadLetter.of(record, new IllegalArgumentException("a\0b", CAUSE)));
        assertThat(fixture.jdbc.queryForMap("""
                        select stream, topic, topic_id, partition, record_offset, lane, batch, cause_class, message,
                               attempts, status, record_timestamp = timestamptz '2023-11-14 22:13:20.123Z' as timed
                          from tandem.dead_letter
                        """))
                .containsExactlyInAnyOrderEntriesOf(Map.ofEntries(
                        Map.entry("stream", "flights"),
                        Map.entry("topic", "flights"),
                        Map.entry("topic_id", "topic-1"),
                        Map.entry("partition", 0),
                        Map.entry("record_offset", 100L),
                        Map.entry("lane", "flights-0"),
                        Map.entry("batch", 0L),
                        Map.entry("cause_class", "java.lang.IllegalArgumentException"),
                        Map.entry("message", "a\uFFFDb"),
                        Map.entry("attempts", 1),
                        Map.entry("status", "parked"),
                        Map.entry("timed", true)));
        assertThat(one("select stack_trace from tandem.dead_letter", String.class))
                .contains("Caused by: java.lang.IllegalStateException: no")
                .contains("a\uFFFDb");
    }

    @Test
    void whatPostgresCantHoldDoesntFailTheBatch() {
        RawRecord early = new RawRecord("flights", 0, 100, -1, null, null, List.of());
        RawRecord late = new RawRecord("flights", 0, 101, Long.MAX_VALUE, null, null, List.of());
        RawRecord last = new RawRecord("flights", 0, 102, 253_402_300_799_999L, null, null, List.of());
        park(
                DeadLetter.of(early, new IllegalStateException("x".repeat(1_000_000))),
                DeadLetter.of(late, new IllegalStateException((String) null)),
                DeadLetter.of(last, new IllegalStateException("\uD83D half a character")));
        assertThat(one("select count(*) from tandem.dead_letter where record_timestamp is null", Integer.class))
                .isEqualTo(2);
        assertThat(one("select max(length(message)) from tandem.dead_letter", Integer.class))
                .isEqualTo(16 * 1024);
    }

    @Test
    void aRecordThatIsParkedAgainIsOneDeadLetter() {
        park(letter(100, null, new byte[] {1}, CAUSE));
        fixture.jdbc.update("update tandem.dead_letter set status = 'superseded'");
        fence = claim(fixture.a, lane(0)).fence();
        park(letter(100, null, new byte[] {1}, new IllegalArgumentException("again")));
        assertThat(fixture.jdbc.queryForMap("select status, attempts, message, batch from tandem.dead_letter"))
                .isEqualTo(Map.of("status", "parked", "attempts", 2, "message", "again", "batch", 1L));
    }

    @Test
    void topicsWithoutIdentityAreToldApartByName() {
        RawRecord one = new RawRecord("one", 0, 1, 0, null, null, List.of());
        RawRecord other = new RawRecord("other", 0, 1, 0, null, null, List.of());
        Commit commit = unplanned(fence);
        fixture.commit(
                fixture.a,
                new Commit(
                        fence,
                        commit.plan(),
                        false,
                        Optional.empty(),
                        "",
                        0,
                        List.of(DeadLetter.of(one, CAUSE), DeadLetter.of(other, CAUSE)),
                        0,
                        commit.run()));
        assertThat(one("select count(*) from tandem.dead_letter", Integer.class))
                .isEqualTo(2);
    }

    @Test
    void deadLettersShareTheFateOfTheirBatch() {
        Fence zombie = fence;
        claim(fixture.b, lane(0));
        Commit commit = SampleBatches.commit(zombie, false, Optional.empty(), List.of(letter(100, null, null, CAUSE)));
        assertThat(fixture.commit(fixture.a, commit)).isEmpty();
        assertThat(one("select count(*) from tandem.dead_letter", Integer.class))
                .isZero();
    }

    private void park(DeadLetter... letters) {
        Commit commit = SampleBatches.commit(fence, false, Optional.empty(), List.of(letters));
        assertThat(fixture.commit(fixture.a, commit)).hasSize(1);
        assertThat(one("select dead_letters from tandem.commit_log order by batch desc limit 1", Integer.class))
                .isEqualTo(letters.length);
    }

    private static DeadLetter letter(long offset, byte @Nullable [] key, byte @Nullable [] value, Throwable cause) {
        return DeadLetter.of(new RawRecord("flights", 0, offset, 0, key, value, List.of()), cause);
    }

    private byte @Nullable [] bytes(String column, long offset) {
        return fixture.jdbc.queryForObject(
                "select " + column + " from tandem.dead_letter where record_offset = ?", byte[].class, offset);
    }

    private <T> T one(String sql, Class<T> type) {
        return fixture.jdbc.queryForObject(sql, type);
    }
}
