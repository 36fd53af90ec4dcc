package io.github.tandemstreams.engine;

import static io.github.tandemstreams.engine.StreamContract.limits;
import static io.github.tandemstreams.engine.StreamContract.produce;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.Effects;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Cases B: each batch once, and progress that never goes back. */
class ReplayCasesTest {

    @Test
    @Tag("B3")
    void ofTwoInstancesOnOneLaneTheLoserLeavesNoRow() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            produce(fixture, 200);
            CountDownLatch oneIsInside = new CountDownLatch(1);
            CountDownLatch twoIsInside = new CountDownLatch(1);
            CountDownLatch oneIsThrough = new CountDownLatch(1);
            AtomicInteger runsOfOne = new AtomicInteger();
            StreamRuntime one = fixture.stream(
                    batch -> {
                        StreamFixture.note(fixture.jdbc, batch);
                        oneIsInside.countDown();
                        twoIsInside.await();
                        if (runsOfOne.incrementAndGet() == 2) {
                            oneIsThrough.countDown();
                        }
                    },
                    limits(10));
            StreamRuntime two = fixture.stream(
                    batch -> {
                        StreamFixture.note(fixture.jdbc, batch);
                        twoIsInside.countDown();
                        // Until the first one has met the fence and is back.
                        oneIsThrough.await();
                    },
                    stream -> limits(10).apply(stream.source(fixture.source(Set.of(fixture.topic), "another"))));
            one.start();
            fixture.until("the first is inside its batch", () -> oneIsInside.getCount() == 0);
            two.start();
            fixture.awaitSeen(200);

            fixture.ledger.check(fixture.visible());
            assertThat(fixture.events).contains("fenced " + fixture.topic + "-0");
            assertThat(fixture.count("select count(*) from (select from seen group by off having count(*) > 1) twice"))
                    .isZero();
        }
    }

    @Test
    @Tag("B5")
    void aBatchThatStartsWhereTheLaneStandsNoMoreIsRolledBack() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            produce(fixture, 100);
            String lane = fixture.topic + "-0";
            fixture.stream(
                            batch -> {
                                StreamFixture.note(fixture.jdbc, batch);
                                if (batch.range().starts().get(lane) == 40) {
                                    // On a connection of its own, as somebody else who has gone on to 100.
                                    moveTo(fixture, lane, 100);
                                }
                            },
                            // So that no plan of the next batch rides along with a commit.
                            stream -> limits(20).apply(stream.effects(Effects.DATABASE)))
                    .start();
            fixture.until(
                    "fenced, or committed all the same",
                    () -> fixture.events.contains("fenced " + lane) || fixture.seen() > 40);
            assertThat(fixture.count("select count(*) from seen where off >= 40"))
                    .isZero();
            assertThat(fixture.ledger.positions()).isEqualTo(Map.of(lane, 100L));

            produce(fixture, 10);
            fixture.awaitCaughtUp();
            fixture.ledger.everyRecordOnce(Map.of(
                    0,
                    Stream.concat(
                                    LongStream.range(0, 40).boxed(),
                                    LongStream.range(100, 110).boxed())
                            .toList()));
            assertThat(fixture.ledger.positions()).isEqualTo(Map.of(lane, 110L));
        }
    }

    private static void moveTo(StreamFixture fixture, String lane, long position) throws SQLException {
        try (var connection = fixture.unpooled.getConnection();
                var update = connection.prepareStatement(
                        "update tandem.lane set position = jsonb_build_object(lane, ?::bigint) where lane = ?")) {
            update.setLong(1, position);
            update.setString(2, lane);
            update.executeUpdate();
        }
    }
}
