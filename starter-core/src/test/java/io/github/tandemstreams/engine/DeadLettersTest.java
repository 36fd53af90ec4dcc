package io.github.tandemstreams.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.tandemstreams.DeadLetterRecord;
import io.github.tandemstreams.DeadLetterRecord.Status;
import io.github.tandemstreams.DeadLetters;
import io.github.tandemstreams.OnFailure;
import io.github.tandemstreams.RecordHeader;
import io.github.tandemstreams.Redrive;
import io.github.tandemstreams.Redrive.Outcome;
import io.github.tandemstreams.Tombstones;
import io.github.tandemstreams.sink.Sink;
import io.github.tandemstreams.test.KafkaBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What can be done with records that failed; what counts is what stands in Postgres. */
class DeadLettersTest {

    private final StreamFixture fixture = new StreamFixture(1);
    private final Set<String> bad = ConcurrentHashMap.newKeySet();
    private final List<String> ids = new CopyOnWriteArrayList<>();
    private final Sink<String> handler = batch -> {
        StreamFixture.note(fixture.jdbc, batch);
        if (!batch.isTrial() && batch.size() == 1) {
            ids.add(batch.transactionId().toString());
        }
        for (String value : batch.values()) {
            if (bad.contains(value)) {
                throw new IllegalStateException("bad: " + value);
            }
        }
    };

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void aRedriveRunsTheHandlerAndMarksTheRecordInOneTransaction() {
        bad.add("v3");
        Topics.produce(fixture.topic, 0, 10, i -> "v" + i);
        DeadLetters letters = start();
        DeadLetterRecord parked = letters.waiting(fixture.name, 0, 10).get(0);
        assertThat(parked.offset()).isEqualTo(3);
        assertThat(parked.causeType()).isEqualTo(IllegalStateException.class.getName());
        assertThat(parked.message()).isEqualTo("bad: v3");

        bad.clear();
        ids.clear();
        assertThat(letters.redrive(fixture.name, parked.id()).outcome()).isEqualTo(Outcome.DONE);
        assertThat(fixture.seen()).isEqualTo(10);
        assertThat(letters.waiting(fixture.name, 0, 10)).isEmpty();
        assertThat(status(letters, parked)).isEqualTo(Status.REDRIVEN);
        assertThat(ids).containsExactly(fixture.name + "/dead-letter/" + parked.topicId() + "/0-3@1");
        fixture.ledger.everyRecordOnce(fixture.visible());

        assertThat(letters.redrive(fixture.name, parked.id()).outcome()).isEqualTo(Outcome.NOT_WAITING);
        assertThat(letters.discard(fixture.name, parked.id(), "late")).isFalse();
        assertThat(fixture.seen()).isEqualTo(10);
    }

    @Test
    @Tag("D10")
    void aRedriveThatFailsLeavesTheRecordAsItWasAndReplacesItsCause() {
        bad.add("v0");
        byte[] value = "v0".getBytes(StandardCharsets.UTF_8);
        var record = new ProducerRecord<byte[], byte[]>(fixture.topic, 0, (byte[]) null, value);
        record.headers().add("a", null);
        record.headers().add("a", new byte[0]);
        record.headers().add("b", new byte[] {(byte) 0xff, 0});
        KafkaBroker.shared().producer().send(record);
        KafkaBroker.shared().producer().flush();
        DeadLetters letters = start();
        long id = letters.waiting(fixture.name, 0, 10).get(0).id();
        letters.redrive(fixture.name, id);
        String size =
                "select sum(length(cause_class || message || stack_trace || headers::text)) from tandem.dead_letter";
        int first = fixture.count(size);
        for (int i = 1; i < 20; i++) {
            Redrive redrive = letters.redrive(fixture.name, id);
            assertThat(redrive.outcome()).isEqualTo(Outcome.FAILED);
            assertThat(redrive.failure()).hasMessage("bad: v0");
        }
        DeadLetterRecord letter = letters.find(fixture.name, id).orElseThrow();
        assertThat(letter.status()).isEqualTo(Status.PARKED);
        assertThat(letter.failedRedrives()).isEqualTo(20);
        assertThat(letter.timesParked()).isEqualTo(1);
        assertThat(letter.key()).isNull();
        assertThat(letter.value()).isEqualTo(value);
        assertThat(letter.headers()).extracting(RecordHeader::name).containsExactly("a", "a", "b");
        assertThat(letter.headers())
                .extracting(RecordHeader::value)
                .containsExactly(null, new byte[0], new byte[] {(byte) 0xff, 0});
        assertThat(fixture.count(size)).isEqualTo(first);
        assertThat(fixture.seen()).isZero();
        // Outside of the database it is the same thing in each try.
        assertThat(ids.stream().distinct().filter(each -> each.contains("dead-letter")))
                .hasSize(1);
    }

    @Test
    void ofManyThatRedriveAtTheSameTimeOneDoes() throws Exception {
        bad.add("v1");
        Topics.produce(fixture.topic, 0, 3, i -> "v" + i);
        DeadLetters letters = start();
        long id = letters.waiting(fixture.name, 0, 10).get(0).id();
        bad.clear();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        CountDownLatch go = new CountDownLatch(1);
        List<Future<Outcome>> outcomes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            outcomes.add(threads.submit(() -> {
                go.await();
                return letters.redrive(fixture.name, id).outcome();
            }));
        }
        go.countDown();
        List<Outcome> ended = new ArrayList<>();
        for (Future<Outcome> outcome : outcomes) {
            ended.add(outcome.get());
        }
        threads.shutdown();
        assertThat(ended).containsOnlyOnce(Outcome.DONE);
        assertThat(fixture.seen()).isEqualTo(3);
    }

    @Test
    void allAreRedrivenInOrderAndThoseThatFailStay() {
        bad.addAll(Set.of("v2", "v5", "v8"));
        Topics.produce(fixture.topic, 0, 10, i -> "v" + i);
        DeadLetters letters = start();
        bad.remove("v2");
        bad.remove("v8");
        assertThat(letters.redriveAll(fixture.name)).isEqualTo(2);
        assertThat(letters.waiting(fixture.name, 0, 10))
                .extracting(DeadLetterRecord::offset)
                .containsExactly(5L);
        fixture.ledger.everyRecordOnce(fixture.visible());
    }

    @Test
    void aRedriveOfManyEndsWithTheStreamAndLeavesTheRestAsItWas() throws Exception {
        bad.addAll(Set.of("v2", "v5", "v8"));
        Topics.produce(fixture.topic, 0, 10, i -> "v" + i);
        CountDownLatch running = new CountDownLatch(1);
        StreamRuntime runtime = fixture.stream(
                batch -> {
                    if (bad.isEmpty()) {
                        running.countDown();
                        new CountDownLatch(1).await();
                    }
                    handler.write(batch);
                },
                stream -> stream.failurePolicy(policy(false)));
        runtime.start();
        fixture.awaitCaughtUp();
        String letters = "select string_agg(l::text, ' ' order by id) from tandem.dead_letter l";
        String before = fixture.jdbc.queryForObject(letters, String.class);
        bad.clear();
        FutureTask<Integer> done =
                new FutureTask<>(() -> new StreamDeadLetters(() -> List.of(runtime)).redriveAll(fixture.name));
        new Thread(done).start();
        running.await();
        runtime.stop(Duration.ofMillis(100));
        assertThat(done.get(StreamFixture.SOON.toSeconds(), TimeUnit.SECONDS)).isZero();
        assertThat(fixture.jdbc.queryForObject(letters, String.class)).isEqualTo(before);
    }

    @Test
    void aRecordThatIsDiscardedStaysWithItsReason() {
        bad.add("v0");
        Topics.produce(fixture.topic, 0, 1, i -> "v" + i);
        DeadLetters letters = start();
        long id = letters.waiting(fixture.name, 0, 10).get(0).id();
        assertThat(letters.discard(fixture.name, id, "a test record\0")).isTrue();
        bad.clear();
        assertThat(letters.redrive(fixture.name, id).outcome()).isEqualTo(Outcome.NOT_WAITING);
        DeadLetterRecord letter = letters.find(fixture.name, id).orElseThrow();
        assertThat(letter.status()).isEqualTo(Status.DISCARDED);
        assertThat(letter.reason()).isEqualTo("a test record\uFFFD");
        assertThat(fixture.seen()).isZero();
    }

    @Test
    void contentsAreErasedByKeyAndByAge() {
        bad.addAll(Set.of("v0", "v1", "v2"));
        produceKeyed("anna", "v0");
        produceKeyed("ben", "v1");
        produceKeyed("cleo", "v2");
        DeadLetters letters = start();
        assertThat(letters.eraseKey(fixture.name, "ben".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(1);
        assertThat(fixture.count("select count(*) from tandem.dead_letter where key is null and value is null"
                        + " and message is null and stack_trace is null and headers::text = '[]'"
                        + " and status = 'discarded' and record_offset = 1"))
                .isEqualTo(1);
        assertThat(letters.erase(fixture.name, Instant.now().minus(Duration.ofDays(1))))
                .isZero();
        assertThat(letters.erase(fixture.name, Instant.now().plusSeconds(60))).isEqualTo(2);
        assertThat(fixture.count("select count(*) from tandem.dead_letter where key is not null"))
                .isZero();
        assertThat(letters.waiting(fixture.name, 0, 10)).isEmpty();
    }

    @Test
    void recordsWaitBehindADeadLetterOfTheirKeyAndAreDrainedInOrder() {
        bad.add("a2");
        for (int i = 1; i <= 4; i++) {
            produceKeyed("a", "a" + i);
            produceKeyed("b", "b" + i);
        }
        DeadLetters letters = start(true);
        produceKeyed("a", "a5");
        produceKeyed("b", "b5");
        fixture.awaitCaughtUp();
        assertThat(seen()).containsExactly("a1", "b1", "b2", "b3", "b4", "b5");
        assertThat(letters.waiting(fixture.name, 0, 10))
                .extracting(letter -> letter.status() + " " + new String(letter.value(), StandardCharsets.UTF_8))
                .containsExactly("PARKED a2", "HELD a3", "HELD a4", "HELD a5");
        fixture.ledger.batchesAreContiguous();

        long third = letters.waiting(fixture.name, 0, 10).get(1).id();
        assertThat(letters.redrive(fixture.name, third).outcome()).isEqualTo(Outcome.BEHIND_ANOTHER);
        assertThat(letters.redriveAll(fixture.name)).isZero();

        bad.clear();
        assertThat(letters.redriveAll(fixture.name)).isEqualTo(4);
        produceKeyed("a", "a6");
        fixture.awaitCaughtUp();
        assertThat(seen().stream().filter(value -> value.startsWith("a")))
                .containsExactly("a1", "a2", "a3", "a4", "a5", "a6");
    }

    /** Such as while another lane's search runs alone: what was re-driven meanwhile holds nobody back. */
    @Test
    void aBatchThatHadToWaitHoldsOnlyWhatMustWaitWhenItRuns() throws InterruptedException {
        CountDownLatch searching = new CountDownLatch(1);
        CountDownLatch redriven = new CountDownLatch(1);
        StreamFixture lanes = new StreamFixture(2);
        bad.add("a1");
        bad.add("endless");
        try {
            StreamRuntime runtime = lanes.stream(
                    batch -> {
                        StreamFixture.note(lanes.jdbc, batch);
                        if (batch.isTrial() && batch.values().contains("endless")) {
                            searching.countDown();
                            redriven.await();
                        }
                        if (batch.values().stream().anyMatch(bad::contains)) {
                            throw new IllegalStateException("bad");
                        }
                    },
                    stream -> stream.concurrency(2).failurePolicy(policy(true)));
            produceKeyed(lanes.topic, "a", "a1");
            runtime.start();
            lanes.awaitCaughtUp();
            Topics.produce(lanes.topic, 1, 2, i -> i == 0 ? "endless" : "v1");
            searching.await();
            produceKeyed(lanes.topic, "a", "a2");
            lanes.until("the batch waits", SearchLockWait::isOn);
            bad.remove("a1");
            assertThat(new StreamDeadLetters(() -> List.of(runtime)).redriveAll(lanes.name))
                    .isEqualTo(1);
            redriven.countDown();
            lanes.awaitCaughtUp();
            assertThat(lanes.count("select count(*) from seen where val = 'a2'"))
                    .isEqualTo(1);
            assertThat(lanes.count("select count(*) from tandem.dead_letter where status = 'held'"))
                    .isZero();
        } finally {
            redriven.countDown();
            lanes.close();
        }
    }

    /** A record that is parked again keeps the id of its first time. */
    @Test
    void afterARewindTheRecordsOfAKeyAreDrainedInOrderToo() {
        bad.add("a2");
        produceKeyed("a", "a1");
        produceKeyed("a", "a2");
        DeadLetters letters = start(true);
        bad.add("a1");
        fixture.jdbc.update(
                "insert into tandem.operator_command (stream, action, target)"
                        + " values (?, 'rewind', jsonb_build_object('offsets', jsonb_build_object(? || '-0', 0)))",
                fixture.name,
                fixture.topic);
        fixture.until(
                "both are parked", () -> letters.waiting(fixture.name, 0, 10).size() == 2);
        assertThat(letters.waiting(fixture.name, 0, 10))
                .extracting(letter -> letter.status() + " " + new String(letter.value(), StandardCharsets.UTF_8))
                .containsExactly("HELD a2", "PARKED a1");
        bad.clear();
        assertThat(letters.redriveAll(fixture.name)).isEqualTo(2);
        assertThat(seen()).containsExactly("a1", "a1", "a2");
    }

    @Test
    void aTombstoneThatIsSkippedIsNeverHeldBehindItsKey() {
        bad.add("v1");
        produceKeyed("k", "v1");
        produceKeyed("k", null);
        produceKeyed("k", "v2");
        DeadLetters letters = start(stream -> stream.failurePolicy(policy(true)).tombstones(Tombstones.SKIP));
        assertThat(waiting()).containsExactly("0 parked", "2 held");
        bad.clear();
        assertThat(letters.redriveAll(fixture.name)).isEqualTo(2);
        assertThat(waiting()).isEmpty();
        assertThat(seen()).containsExactly("v1", "v2");
    }

    /** It was parked, or held, while tombstones were delivered. */
    @Test
    void aTombstoneThatIsSkippedByNowIsDoneWithoutTheHandler() {
        bad.add("v1");
        produceKeyed("k", "v1");
        produceKeyed("k", null);
        produceKeyed("k", "v2");
        start(true);
        assertThat(waiting()).containsExactly("0 parked", "1 held", "2 held");
        fixture.stopAll();
        bad.clear();
        DeadLetters letters = start(stream -> stream.failurePolicy(policy(true)).tombstones(Tombstones.SKIP));
        assertThat(letters.redriveAll(fixture.name)).isEqualTo(3);
        assertThat(seen()).containsExactly("v1", "v2");
        assertThat(fixture.count("select count(*) from tandem.dead_letter where status = 'redriven'"))
                .isEqualTo(3);
    }

    @Test
    void heldRecordsAreNotCountedAsDeadLettersInARow() {
        bad.add("a0");
        for (int i = 0; i < 150; i++) {
            produceKeyed("a", "a" + i);
        }
        DeadLetters letters = start(true);
        assertThat(letters.waiting(fixture.name, 0, 1000)).hasSize(150);
        assertThat(fixture.count("select dead_in_a_row from tandem.lane")).isEqualTo(1);
    }

    @Test
    void aStreamThatIsNotConfiguredIsRefused() {
        assertThatThrownBy(() -> start().redriveAll("nowhere"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(fixture.name);
    }

    private DeadLetters start() {
        return start(false);
    }

    private DeadLetters start(boolean holdKey) {
        return start(stream -> stream.failurePolicy(policy(holdKey)));
    }

    private DeadLetters start(UnaryOperator<StreamDefinition.Builder<String>> settings) {
        StreamRuntime runtime = fixture.stream(handler, settings);
        runtime.start();
        fixture.awaitCaughtUp();
        return new StreamDeadLetters(() -> List.of(runtime));
    }

    private static FailurePolicy policy(boolean holdKey) {
        return new FailurePolicy(
                2,
                new Backoff(Duration.ofMillis(10), Duration.ofMillis(50)),
                OnFailure.DEAD_LETTER,
                FailurePolicy.DEFAULT_MAX_CONSECUTIVE_DEAD_LETTERS,
                holdKey,
                true);
    }

    private void produceKeyed(String key, @Nullable String value) {
        produceKeyed(fixture.topic, key, value);
    }

    private static void produceKeyed(String topic, String key, @Nullable String value) {
        byte[] bytes = value == null ? null : value.getBytes(StandardCharsets.UTF_8);
        KafkaBroker.shared()
                .producer()
                .send(new ProducerRecord<>(topic, 0, key.getBytes(StandardCharsets.UTF_8), bytes));
        KafkaBroker.shared().producer().flush();
    }

    private List<String> waiting() {
        return fixture.jdbc.queryForList(
                "select record_offset || ' ' || status from tandem.dead_letter where status in ('parked', 'held')"
                        + " order by record_offset",
                String.class);
    }

    private List<String> seen() {
        return fixture.jdbc.queryForList("select val from seen order by ctid", String.class);
    }

    private static Status status(DeadLetters letters, DeadLetterRecord letter) {
        return letters.find(letter.stream(), letter.id()).orElseThrow().status();
    }
}
