package io.github.tandemstreams.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.Effects;
import io.github.tandemstreams.LaneStatus;
import io.github.tandemstreams.StartingOffsets;
import io.github.tandemstreams.StreamStatus;
import io.github.tandemstreams.Tombstones;
import io.github.tandemstreams.Trigger;
import io.github.tandemstreams.test.CommitCutter;
import io.github.tandemstreams.test.KafkaBroker;
import java.io.IOException;
import java.net.ServerSocket;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a stream promises, seen from outside: rows in Postgres. */
class StreamTest extends StreamContract {

    @Override
    StreamFixture fixture(int partitions) {
        return new StreamFixture(partitions);
    }

    @Test
    @Tag("A13")
    void goesOnWhereItStoppedWhateverTheGroupOffsetsSay() {
        try (StreamFixture fixture = fixture(1)) {
            produce(fixture, 200);
            StreamRuntime first = fixture.stream(fixture.probe());
            first.start();
            fixture.awaitSeen(200);
            first.stop(Duration.ofSeconds(10));
            Topics.deleteGroup("tandem-" + fixture.name);
            produce(fixture, 10);
            fixture.stream(fixture.probe(), definition -> definition.startingOffsets(new StartingOffsets.Latest()))
                    .start();
            fixture.awaitSeen(210);
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    void aTransientFailureIsRetriedFarBeyondMaxAttempts() {
        try (StreamFixture fixture = fixture(1)) {
            produce(fixture, 20);
            AtomicInteger runs = new AtomicInteger();
            fixture.stream(batch -> {
                        StreamFixture.note(fixture.jdbc, batch);
                        if (runs.incrementAndGet() <= 10) {
                            throw new SQLException("could not serialize access", "40001");
                        }
                    })
                    .start();
            fixture.awaitSeen(20);
            assertThat(runs).hasValue(11);
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    void aHandlerThatMarksTheTransactionRollbackOnlyHasFailed() {
        try (StreamFixture fixture = fixture(1)) {
            produce(fixture, 5);
            AtomicInteger runs = new AtomicInteger();
            fixture.stream(batch -> {
                        StreamFixture.note(fixture.jdbc, batch);
                        if (runs.incrementAndGet() == 1) {
                            fixture.jdbc.execute("select 1");
                            markRollbackOnly(fixture);
                        }
                    })
                    .start();
            fixture.awaitSeen(5);
            assertThat(runs).hasValue(2);
            fixture.ledger.check(fixture.visible());
        }
    }

    private static void markRollbackOnly(StreamFixture fixture) {
        new org.springframework.transaction.support.TransactionTemplate(
                        new org.springframework.jdbc.support.JdbcTransactionManager(fixture.database))
                .executeWithoutResult(inner -> inner.setRollbackOnly());
    }

    @Test
    void topicsAddedAndRemovedKeepTheirPlaces() {
        try (StreamFixture fixture = fixture(1)) {
            String second = Topics.create(1);
            produce(fixture, 10);
            Topics.produce(second, 0, 10, i -> "old-" + i);
            StreamRuntime one = fixture.stream(fixture.probe());
            one.start();
            fixture.awaitSeen(10);
            one.stop(Duration.ofSeconds(10));

            // Added with latest: what the new topic has is skipped, what the known one got meanwhile isn't.
            produce(fixture, 5);
            StreamRuntime both = fixture.stream(
                    fixture.probe(),
                    definition -> definition
                            .source(fixture.source(Set.of(fixture.topic, second)))
                            .startingOffsets(new StartingOffsets.Latest()));
            both.start();
            fixture.awaitSeen(15);
            fixture.until(
                    "the new topic's lane exists",
                    () -> fixture.ledger.positions().size() == 2);
            Topics.produce(second, 0, 3, i -> "new-" + i);
            fixture.awaitSeen(18);
            both.stop(Duration.ofSeconds(10));

            StreamRuntime again = fixture.stream(fixture.probe());
            again.start();
            produce(fixture, 1);
            fixture.awaitSeen(19);
            assertThat(fixture.ledger.positions()).containsEntry(second + "-0", 13L);
            fixture.ledger.batchesAreContiguous();
        }
    }

    @Test
    @Tag("A9")
    void aPartitionThatTheTopicGainsLaterStartsAtItsEarliestOffset() {
        try (StreamFixture fixture = fixture(1)) {
            produce(fixture, 5);
            fixture.stream(fixture.probe(), definition -> definition.startingOffsets(new StartingOffsets.Latest()))
                    .start();
            fixture.until("registered", () -> fixture.ledger.positions().size() == 1);
            Topics.addPartitions(fixture.topic, 2);
            Topics.produce(fixture.topic, 1, 50, i -> "p1-" + i);
            fixture.awaitSeen(50);
            // What stood in the first partition before the stream began is none of it.
            fixture.ledger.check(Map.of(1, fixture.visible().get(1)));
            assertThat(fixture.ledger.positions())
                    .containsOnly(Map.entry(fixture.topic + "-0", 5L), Map.entry(fixture.topic + "-1", 50L));
        }
    }

    @Test
    void withAnIntervalEachLaneStartsOneBatchAtATime() {
        try (StreamFixture fixture = fixture(1)) {
            StreamRuntime runtime = fixture.stream(
                    fixture.probe(), definition -> definition.trigger(Trigger.processingTime(Duration.ofSeconds(2))));
            runtime.start();
            Topics.produce(fixture.topic, 0, 1, i -> "first");
            fixture.awaitSeen(1);
            for (int i = 0; i < 20; i++) {
                Topics.produce(fixture.topic, 0, 1, n -> "more");
            }
            fixture.awaitSeen(21);
            List<java.time.Instant> starts = fixture.progress.stream()
                    .map(p -> p.committedAt().minus(p.duration()))
                    .toList();
            assertThat(starts).hasSizeLessThanOrEqualTo(3);
            for (int i = 1; i < starts.size(); i++) {
                assertThat(Duration.between(starts.get(i - 1), starts.get(i))).isGreaterThan(Duration.ofMillis(1900));
            }
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    void tombstonesAreSkippedOnlyIfAskedFor() {
        try (StreamFixture fixture = fixture(1)) {
            Topics.produce(fixture.topic, 0, 10, i -> i % 2 == 0 ? null : "v" + i);
            List<String> values = Collections.synchronizedList(new ArrayList<>());
            fixture.stream(
                            batch -> {
                                values.addAll(batch.values());
                                StreamFixture.note(fixture.jdbc, batch);
                            },
                            definition -> definition.tombstones(Tombstones.SKIP))
                    .start();
            fixture.awaitCaughtUp();
            assertThat(values).containsExactly("v1", "v3", "v5", "v7", "v9");
        }
    }

    @Test
    void markersAndAbortedRecordsLeaveNoGapBetweenBatches() {
        try (StreamFixture fixture = fixture(1)) {
            Topics.produceTransactions(fixture.topic, 0, 10, transaction -> transaction % 3 != 2);
            fixture.stream(fixture.probe(), limits(4)).start();
            fixture.awaitCaughtUp();
            fixture.ledger.check(fixture.visible());
            assertThat(fixture.seen()).isEqualTo(7);
        }
    }

    @Test
    void aTailOfAbortedRecordsIsPassedByABatchWithoutRecords() {
        try (StreamFixture fixture = fixture(1)) {
            Topics.produceTransactions(fixture.topic, 0, 1, transaction -> true);
            fixture.stream(fixture.probe()).start();
            fixture.awaitCaughtUp();
            Topics.produceTransactions(fixture.topic, 0, 3, transaction -> false);
            fixture.awaitCaughtUp();
            fixture.ledger.check(fixture.visible());
            assertThat(fixture.progress.stream().mapToInt(p -> p.records()).sum())
                    .isEqualTo(1);
        }
    }

    @Test
    @Tag("K1")
    void anOrderlyStopFinishesTheRunningBatch() throws InterruptedException {
        try (StreamFixture fixture = fixture(1)) {
            produce(fixture, 100);
            CountDownLatch inHandler = new CountDownLatch(1);
            StreamRuntime runtime = fixture.stream(
                    batch -> {
                        inHandler.countDown();
                        StreamFixture.note(fixture.jdbc, batch);
                    },
                    limits(10));
            runtime.start();
            inHandler.await();
            runtime.stop(Duration.ofSeconds(20));
            int seen = fixture.seen();
            assertThat(seen).isPositive();
            assertThat(fixture.ledger.positions()).containsValue((long) seen);
            fixture.ledger.nothingIsLeftOpen();
            assertThat(Topics.groupOffset("tandem-" + fixture.name, fixture.topic, 0))
                    .isLessThanOrEqualTo(seen);
            fixture.stream(fixture.probe()).start();
            fixture.awaitSeen(100);
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    @Tag("K1")
    void aBatchThatOutlastsTheStopIsRolledBack() throws InterruptedException {
        try (StreamFixture fixture = fixture(1)) {
            produce(fixture, 10);
            CountDownLatch inHandler = new CountDownLatch(1);
            StreamRuntime runtime = fixture.stream(batch -> {
                StreamFixture.note(fixture.jdbc, batch);
                inHandler.countDown();
                new CountDownLatch(1).await();
            });
            runtime.start();
            inHandler.await();
            runtime.stop(Duration.ofMillis(300));
            assertThat(fixture.seen()).isZero();
            fixture.ledger.nothingIsLeftOpen();
            assertThat(Topics.groupOffset("tandem-" + fixture.name, fixture.topic, 0))
                    .isLessThanOrEqualTo(0);
            fixture.stream(fixture.probe()).start();
            fixture.awaitSeen(10);
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    void twoInstancesShareTheLanesAndHandThemOver() {
        try (StreamFixture fixture = fixture(4)) {
            fixture.kafka.put("heartbeat.interval.ms", "200");
            AtomicInteger sent = new AtomicInteger();
            StreamRuntime one = fixture.stream(fixture.probe(), limits(7));
            one.start();
            for (int round = 0; round < 4; round++) {
                StreamRuntime two = fixture.stream(fixture.probe(), limits(5));
                two.start();
                sent.addAndGet(produce(fixture, 400));
                fixture.until(
                        "the second instance works",
                        () -> two.status().lanes().stream().anyMatch(lane -> lane.claimed() && lane.lastBatch() >= 0));
                sent.addAndGet(produce(fixture, 400));
                two.stop(Duration.ofSeconds(10));
            }
            fixture.awaitSeen(sent.get());
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    void withEffectsInTheDatabaseOnlyTheRangesStillFormOneLog() {
        try (StreamFixture fixture = fixture(2)) {
            produce(fixture, 500);
            List<String> refused = Collections.synchronizedList(new ArrayList<>());
            fixture.stream(
                            batch -> {
                                try {
                                    batch.transactionId();
                                } catch (IllegalStateException expected) {
                                    refused.add(expected.getMessage());
                                }
                                StreamFixture.note(fixture.jdbc, batch);
                            },
                            definition -> limits(50).apply(definition.effects(Effects.DATABASE)))
                    .start();
            fixture.awaitSeen(500);
            fixture.ledger.check(fixture.visible());
            assertThat(refused).isNotEmpty().allMatch(text -> text.contains("effects = DATABASE"));
        }
    }

    @Test
    void smallLanesOfAWorkerShareATransaction() throws InterruptedException {
        try (StreamFixture fixture = fixture(8)) {
            CountDownLatch everythingIsThere = new CountDownLatch(1);
            StreamRuntime runtime = fixture.stream(
                    batch -> {
                        everythingIsThere.await();
                        StreamFixture.note(fixture.jdbc, batch);
                    },
                    definition -> definition.concurrency(1));
            runtime.start();
            // The one worker will wait in the first batch, and claims nothing meanwhile.
            fixture.until(
                    "all lanes are claimed",
                    () -> runtime.status().lanes().stream()
                                    .filter(LaneStatus::claimed)
                                    .count()
                            == 8);
            produce(fixture, 80);
            fixture.until("everything is read", () -> runtime.status().lag().orElse(0) == 80);
            everythingIsThere.countDown();
            fixture.awaitSeen(80);
            assertThat(fixture.count("select count(distinct xmin::text) from tandem.commit_log"))
                    .isLessThan(fixture.count("select count(*) from tandem.commit_log"));
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    void aStreamThatWasStoppedCanBeStartedAgain() {
        try (StreamFixture fixture = fixture(2)) {
            StreamRuntime runtime = fixture.stream(fixture.probe());
            Streams streams = new Streams(List.of(runtime), Duration.ofSeconds(10));
            for (int round = 1; round <= 3; round++) {
                streams.start(fixture.name);
                produce(fixture, 20);
                fixture.awaitSeen(20 * round);
                streams.stop(fixture.name);
                assertThat(streams.status(fixture.name).lanes()).isEmpty();
            }
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    void aBrokerThatIsDownAtTheStartIsWaitedFor() throws IOException {
        int port = freePort();
        try (StreamFixture fixture = fixture(1)) {
            produce(fixture, 10);
            fixture.kafka.put("bootstrap.servers", "127.0.0.1:" + port);
            fixture.kafka.put("default.api.timeout.ms", "2000");
            fixture.kafka.put("request.timeout.ms", "1000");
            StreamRuntime runtime = fixture.stream(fixture.probe());
            runtime.start();
            assertThat(runtime.status().state()).isEqualTo(StreamStatus.State.STARTING);
            assertThat(runtime.status().problem()).contains("127.0.0.1:" + port);
            String broker = KafkaBroker.shared().bootstrapServers();
            try (CommitCutter bridge =
                    new CommitCutter(port, Integer.parseInt(broker.substring(broker.lastIndexOf(':') + 1)))) {
                fixture.awaitSeen(10);
                fixture.ledger.check(fixture.visible());
                runtime.stop(Duration.ofSeconds(10));
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void theGroupOffsetFollowsThePosition() {
        try (StreamFixture fixture = fixture(1)) {
            produce(fixture, 25);
            fixture.stream(fixture.probe()).start();
            fixture.awaitSeen(25);
            fixture.until(
                    "the group stands at 25",
                    () -> Topics.groupOffset("tandem-" + fixture.name, fixture.topic, 0) == 25);
        }
    }
}
