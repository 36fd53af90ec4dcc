package io.github.tandemstreams.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StartCheck;
import io.github.tandemstreams.StartReport;
import io.github.tandemstreams.StartingOffsets;
import io.github.tandemstreams.StreamStatus;
import io.github.tandemstreams.source.TopicNotFoundException;
import io.github.tandemstreams.test.KafkaBroker;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is told of a start before it is what the start then does. */
class StartCheckTest {

    private final KafkaBroker broker = KafkaBroker.shared();
    private final StreamFixture fixture = new StreamFixture(3);
    private final String listenersGroup = "listener-of-" + fixture.name;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void tellsWhereAMoveFromAGroupWouldStartAndChangesNothing() throws Exception {
        broker.send(fixture.topic, 0, 0, 10);
        broker.send(fixture.topic, 1, 0, 5);
        broker.send(fixture.topic, 2, 0, 4);
        broker.admin()
                .alterConsumerGroupOffsets(
                        listenersGroup,
                        Map.of(
                                new TopicPartition(fixture.topic, 0), new OffsetAndMetadata(7),
                                new TopicPartition(fixture.topic, 1), new OffsetAndMetadata(5)))
                .all()
                .get();
        StreamRuntime stream = fixture.stream(
                fixture.probe(), definition -> definition.startingOffsets(new StartingOffsets.OfGroup(listenersGroup)));
        StartCheck check = new StreamStartCheck(() -> List.of(stream));

        List<StartReport> told = check.check(fixture.name, null);

        assertThat(told)
                .containsExactly(
                        report(0, false, 7, 10), report(1, false, 5, 5), report(2, false, 0, 4)); // no offset: earliest
        assertThat(told).extracting(StartReport::ahead).containsExactly(3L, 0L, 4L);
        assertThat(check.check(fixture.name, new StartingOffsets.Latest()))
                .extracting(StartReport::ahead)
                .containsExactly(0L, 0L, 0L);
        assertThat(fixture.jdbc.queryForList("select * from tandem.stream")).isEmpty();
        assertThat(fixture.jdbc.queryForList("select * from tandem.lane")).isEmpty();
        assertThat(stream.status().state()).isEqualTo(StreamStatus.State.STOPPED);

        stream.start();
        fixture.awaitSeen(7);
        fixture.awaitCaughtUp();
        assertThat(firstSeen()).isEqualTo(Map.of(0, 7L, 2, 0L));
    }

    @Test
    void aLaneThatHasStartedGoesOnWhereItStandsAndAPartitionThatCameLaterAtEarliest() throws Exception {
        broker.send(fixture.topic, 0, 0, 10);
        StreamRuntime stream = fixture.stream(fixture.probe());
        StartCheck check = new StreamStartCheck(() -> List.of(stream));
        stream.start();
        fixture.awaitSeen(10);
        stream.stop(StreamFixture.SOON);
        broker.send(fixture.topic, 0, 10, 12);
        Topics.addPartitions(fixture.topic, 4);
        broker.send(fixture.topic, 3, 0, 6);

        assertThat(check.check(fixture.name, new StartingOffsets.Latest()))
                .containsExactly(
                        report(0, true, 10, 12), report(1, true, 0, 0), report(2, true, 0, 0), report(3, false, 0, 6));
    }

    @Test
    void saysThatATopicIsMissing() {
        StreamRuntime stream = fixture.stream(
                fixture.probe(), definition -> definition.source(fixture.source(Set.of("nowhere-" + fixture.name))));
        StartCheck check = new StreamStartCheck(() -> List.of(stream));

        assertThatThrownBy(() -> check.check(fixture.name, null)).isInstanceOf(TopicNotFoundException.class);
        assertThatThrownBy(() -> check.check("other", null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(fixture.name);
    }

    private StartReport report(int partition, boolean stored, long start, long latest) {
        String lane = fixture.topic + "-" + partition;
        return new StartReport(lane, stored, Offsets.of(lane, start), Offsets.of(lane, 0), Offsets.of(lane, latest));
    }

    private Map<Integer, Long> firstSeen() {
        Map<Integer, Long> first = new TreeMap<>();
        fixture.jdbc.query("select part, min(off) from seen group by part", row -> {
            first.put(row.getInt(1), row.getLong(2));
        });
        return first;
    }
}
