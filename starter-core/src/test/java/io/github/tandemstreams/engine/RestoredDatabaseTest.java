package io.github.tandemstreams.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.sink.Sink;
import io.github.tandemstreams.test.KafkaBroker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A database that went back in time: batches that it has forgotten are run again, and what a sink outside of it remembers
 * of them must not be taken for the new ones'. A restore is played by setting the tables back.
 */
class RestoredDatabaseTest {

    private final StreamFixture fixture = new StreamFixture(1);
    private final List<String> ids = new CopyOnWriteArrayList<>();
    private final Map<String, OffsetRange> ranges = new ConcurrentHashMap<>();
    private final Sink<String> handler = batch -> {
        String id = batch.transactionId().toString();
        ids.add(id);
        OffsetRange before = ranges.putIfAbsent(id, batch.range());
        if (before != null) {
            assertThat(batch.range()).as(id).isEqualTo(before);
        }
        StreamFixture.note(fixture.jdbc, batch);
    };

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void theConsumerGroupTellsThatBatchesWereForgotten() {
        StreamRuntime first = start(10);
        Topics.produce(fixture.topic, 0, 60, i -> "v" + i);
        fixture.awaitCaughtUp();
        fixture.until("the group was told", () -> groupMetadata().equals("generation=0;batch=5"));
        first.stop(Duration.ofSeconds(20));

        restoreTo(2, 30);
        ids.clear();
        start(7);
        fixture.awaitCaughtUp();
        assertThat(ids).hasSize(5).allMatch(id -> id.contains(fixture.topic + "-0/1@"));
        fixture.ledger.everyRecordOnce(fixture.visible());
        fixture.ledger.batchesAreContiguous();
    }

    /** What the group was told is all that shows it, and is overwritten by where the lane stands. */
    @Test
    void aLaneThatWasPausedWhenItWasRestoredHasNewIdsWhenItGoesOn() {
        StreamRuntime first = start(10);
        Topics.produce(fixture.topic, 0, 60, i -> "v" + i);
        fixture.awaitCaughtUp();
        fixture.until("the group was told", () -> groupMetadata().equals("generation=0;batch=5"));
        first.stop(Duration.ofSeconds(20));

        restoreTo(2, 30);
        fixture.jdbc.update("update tandem.lane set state = 'paused'");
        ids.clear();
        StreamRuntime second = start(7);
        fixture.until(
                "the group stands where the lane does", () -> groupMetadata().equals("generation=1;batch=2"));
        assertThat(Topics.groupOffset(fixture.group(), fixture.topic, 0)).isEqualTo(30);
        assertThat(ids).isEmpty();
        fixture.resume(second, fixture.topic + "-0");
        fixture.awaitCaughtUp();
        assertThat(ids).hasSize(5).allMatch(id -> id.contains(fixture.topic + "-0/1@"));
        fixture.ledger.everyRecordOnce(fixture.visible());
    }

    @Test
    void aPlanThatSurvivedKeepsItsIdAndItsRange() {
        StreamRuntime first = start(10);
        Topics.produce(fixture.topic, 0, 60, i -> "v" + i);
        fixture.awaitCaughtUp();
        fixture.until("the group was told", () -> groupMetadata().equals("generation=0;batch=5"));
        first.stop(Duration.ofSeconds(20));

        restoreTo(2, 30);
        fixture.jdbc.update(
                "insert into tandem.offset_log (stream, lane, batch, generation, starts, ends)"
                        + " values (?, ?, 3, 0, ?::jsonb, ?::jsonb)",
                fixture.name,
                fixture.topic + "-0",
                "{\"" + fixture.topic + "-0\": 30}",
                "{\"" + fixture.topic + "-0\": 40}");
        ids.clear();
        start(7);
        fixture.awaitCaughtUp();
        assertThat(ids.get(0)).endsWith("/0@3");
        assertThat(ids.subList(1, ids.size())).isNotEmpty().allMatch(id -> id.contains("/1@"));
        fixture.ledger.everyRecordOnce(fixture.visible());
    }

    @Test
    void anotherTimelineOrClusterRaisesTheGenerationOnce() {
        StreamRuntime first = start(10);
        Topics.produce(fixture.topic, 0, 10, i -> "v" + i);
        fixture.awaitCaughtUp();
        first.stop(Duration.ofSeconds(20));
        assertThat(fixture.count(
                        "select count(*) from tandem.lane where system_identifier is not null and timeline > 0"))
                .isEqualTo(1);

        fixture.jdbc.update("update tandem.lane set timeline = timeline - 1");
        StreamRuntime second = start(10);
        Topics.produce(fixture.topic, 0, 10, i -> "w" + i);
        fixture.awaitCaughtUp();
        second.stop(Duration.ofSeconds(20));
        assertThat(fixture.count("select generation from tandem.lane")).isEqualTo(1);

        fixture.jdbc.update("update tandem.lane set system_identifier = 7");
        StreamRuntime third = start(10);
        Topics.produce(fixture.topic, 0, 10, i -> "x" + i);
        fixture.awaitCaughtUp();
        third.stop(Duration.ofSeconds(20));
        start(10);
        Topics.produce(fixture.topic, 0, 10, i -> "y" + i);
        fixture.awaitCaughtUp();
        assertThat(fixture.count("select generation from tandem.lane")).isEqualTo(2);
        fixture.ledger.check(fixture.visible());
    }

    private StreamRuntime start(int maxRecords) {
        StreamRuntime runtime =
                fixture.stream(handler, stream -> stream.limits(new Limits(maxRecords, 1 << 20, 1 << 20)));
        runtime.start();
        return runtime;
    }

    /** What the tables were after this batch. */
    private void restoreTo(long batch, long position) {
        fixture.jdbc.update("delete from seen where batch_id > ?", batch);
        fixture.jdbc.update("delete from tandem.commit_log where batch > ?", batch);
        fixture.jdbc.update("delete from tandem.offset_log where batch > ?", batch);
        fixture.jdbc.update(
                "update tandem.lane set last_batch = ?, position = ?::jsonb",
                batch,
                "{\"" + fixture.topic + "-0\": " + position + "}");
    }

    private String groupMetadata() throws Exception {
        var offset = KafkaBroker.shared()
                .admin()
                .listConsumerGroupOffsets("tandem-" + fixture.name)
                .partitionsToOffsetAndMetadata()
                .get()
                .get(new TopicPartition(fixture.topic, 0));
        return offset == null ? "" : offset.metadata();
    }
}
