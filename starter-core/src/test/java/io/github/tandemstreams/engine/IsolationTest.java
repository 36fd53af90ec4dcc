package io.github.tandemstreams.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.Effects;
import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.OnFailure;
import io.github.tandemstreams.RecordFailedException;
import io.github.tandemstreams.StartingOffsets;
import io.github.tandemstreams.StreamRecord;
import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.checkpoint.Claim;
import io.github.tandemstreams.checkpoint.Plan;
import io.github.tandemstreams.checkpoint.Trouble;
import io.github.tandemstreams.checkpoint.Verdict;
import io.github.tandemstreams.postgres.PostgresWriter;
import io.github.tandemstreams.sink.Cause;
import io.github.tandemstreams.sink.Sink;
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.test.KafkaBroker;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.GroupProtocol;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Bad records: found, parked with their causes, and nothing else with them. What counts is what stands in Postgres. */
class IsolationTest {

    private final StreamFixture fixture = new StreamFixture(1);
    private final String lane = fixture.topic + "-0";

    @AfterEach
    void close() {
        fixture.close();
    }

    /** Savepoints or not, the same records are found. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("D8")
    void recordsThatPostgresRefusesAreParkedAndTheOthersCommittedUnderTheSameBatchId(boolean savepoints) {
        fixture.jdbc.execute("alter table seen add constraint no_bad check (val not like 'bad%')");
        Topics.produce(fixture.topic, 0, 100, i -> i == 13 || i == 77 ? "bad-" + i : "v" + i);
        AtomicInteger runs = new AtomicInteger();
        JdbcTransactionManager manager = new JdbcTransactionManager(fixture.database);
        manager.setNestedTransactionAllowed(savepoints);
        fixture.stream(
                        batch -> {
                            if (!batch.isTrial()) {
                                runs.incrementAndGet();
                            }
                            StreamFixture.note(fixture.jdbc, batch);
                        },
                        stream -> stream.transactionManager(manager))
                .start();
        fixture.awaitCaughtUp();

        fixture.ledger.check(fixture.visible());
        assertThat(dead()).containsExactly(13L, 77L);
        assertThat(fixture.seen()).isEqualTo(98);
        assertThat(fixture.count("select count(*) from tandem.commit_log")).isEqualTo(1);
        assertThat(fixture.count("select dead_letters from tandem.commit_log")).isEqualTo(2);
        assertThat(text("select distinct cause_class from tandem.dead_letter"))
                .isEqualTo(DataIntegrityViolationException.class.getName());
        assertThat(text("select convert_from(value, 'UTF8') from tandem.dead_letter where record_offset = 13"))
                .isEqualTo("bad-13");
        // Refused data is the same in every run: one run that fails, one that is final.
        assertThat(runs.get()).isEqualTo(2);
    }

    @Test
    void aHandlerThatThrowsIsTriedAgainAndThenItsBadRecordIsParked() {
        Topics.produce(fixture.topic, 0, 50, i -> "v" + i);
        List<String> runs = new CopyOnWriteArrayList<>();
        fixture.stream(batch -> {
                    runs.add(batch.isTrial() ? "trial" : "run of " + batch.size());
                    StreamFixture.note(fixture.jdbc, batch);
                    if (batch.values().contains("v31")) {
                        throw new IllegalStateException((String) null);
                    }
                })
                .start();
        fixture.awaitCaughtUp();

        fixture.ledger.check(fixture.visible());
        assertThat(dead()).containsExactly(31L);
        // The third of three attempts is the search.
        assertThat(runs).containsSubsequence("run of 50", "run of 50", "trial", "run of 49");
        assertThat(runs).filteredOn(run -> !run.equals("trial")).containsExactly("run of 50", "run of 50", "run of 49");
        assertThat(fixture.count("select count(*) from tandem.dead_letter where message is null"))
                .isEqualTo(1);
        assertThat(fixture.count("select count(*) from tandem.offset_log where search is not null"))
                .isZero();
    }

    /**
     * The handler takes its row locks in the order of their keys. A search runs it part by part, and so takes them in another
     * one, which would deadlock with the batches of other lanes.
     */
    @Test
    @Tag("F5")
    void aSearchDoesntDeadlockWithOtherLanes() {
        StreamFixture lanes = new StreamFixture(4);
        AtomicInteger deadlocks = new AtomicInteger();
        try {
            lanes.jdbc.execute("create table total (key int primary key, records int not null)");
            for (int partition = 0; partition < 4; partition++) {
                Topics.produce(lanes.topic, partition, 400, i -> i % 100 == 99 ? "bad" : String.valueOf(399 - i));
            }
            lanes.stream(
                            batch -> {
                                StreamFixture.note(lanes.jdbc, batch);
                                try {
                                    batch.values().stream()
                                            .filter(value -> !value.equals("bad"))
                                            .map(Integer::valueOf)
                                            .sorted()
                                            .forEach(key -> lanes.jdbc.update(
                                                    "insert into total as t values (?, 1) on conflict (key) do update set records = t.records + 1",
                                                    key));
                                } catch (PessimisticLockingFailureException deadlock) {
                                    deadlocks.incrementAndGet();
                                    throw deadlock;
                                }
                                if (batch.values().contains("bad")) {
                                    throw new IllegalStateException("bad");
                                }
                            },
                            stream -> stream.concurrency(4).limits(new Limits(200, 1 << 20, 1 << 20)))
                    .start();
            lanes.awaitCaughtUp();

            assertThat(deadlocks).hasValue(0);
            assertThat(lanes.count("select count(*) from tandem.dead_letter")).isEqualTo(16);
            assertThat(lanes.count("select sum(records) from total"))
                    .isEqualTo(lanes.seen())
                    .isEqualTo(1584);
        } finally {
            lanes.close();
        }
    }

    @Test
    @Tag("D3")
    void theRecordThatTheHandlerNamesIsTriedFirst() {
        Topics.produce(fixture.topic, 0, 1000, i -> "v" + i);
        AtomicInteger trials = new AtomicInteger();
        fixture.stream(batch -> {
                    if (batch.isTrial()) {
                        trials.incrementAndGet();
                    }
                    // In reverse: what stands before the record that fails hasn't been done.
                    for (int i = batch.size() - 1; i >= 0; i--) {
                        if (batch.values().get(i).equals("v6")) {
                            throw new RecordFailedException(batch.records().get(i), new IllegalStateException("six"));
                        }
                        note(batch.records().get(i), batch);
                    }
                })
                .start();
        fixture.awaitCaughtUp();

        fixture.ledger.check(fixture.visible());
        assertThat(dead()).containsExactly(6L);
        // In front of it, it alone, behind it.
        assertThat(trials.get()).isEqualTo(3);
    }

    @Test
    void anInnocentRecordThatIsNamedIsNotParked() {
        Topics.produce(fixture.topic, 0, 40, i -> "v" + i);
        fixture.stream(batch -> {
                    StreamFixture.note(fixture.jdbc, batch);
                    if (batch.values().contains("v20")) {
                        throw new RecordFailedException(3, new IllegalStateException("it isn't 3"));
                    }
                })
                .start();
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertThat(dead()).containsExactly(20L);
    }

    @Test
    @Tag("D9")
    void anIndexOutsideOfTheBatchNamesNothing() {
        Topics.produce(fixture.topic, 0, 10, i -> "v" + i);
        fixture.stream(batch -> {
                    StreamFixture.note(fixture.jdbc, batch);
                    if (batch.values().contains("v4")) {
                        throw new RecordFailedException(99, new IllegalStateException("the real error"));
                    }
                })
                .start();
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertThat(dead()).containsExactly(4L);
        assertThat(text("select stack_trace from tandem.dead_letter")).contains("the real error");
    }

    @Test
    void whereEverythingFailsAlikeTheLaneFailsAndNothingIsParked() {
        Topics.produce(fixture.topic, 0, 300, i -> "v" + i);
        StreamRuntime runtime = fixture.stream(batch -> {
            throw new IllegalStateException("the table is gone, so to speak");
        });
        runtime.start();
        fixture.until("failed", () -> state(runtime) == LaneState.FAILED);
        assertThat(dead()).isEmpty();
        assertThat(runtime.status().lanes().get(0).problem())
                .contains("more than 100 records in a row", "the table is gone, so to speak");
    }

    @Test
    void deadLettersInARowAreCountedOverBatchesAndUndecodableOnesToo() {
        Topics.produce(fixture.topic, 0, 200, i -> i < 50 ? "v" + i : "bad" + i);
        AtomicBoolean mended = new AtomicBoolean();
        StreamRuntime runtime = fixture.stream(
                fixture.probe(),
                stream -> stream.limits(new Limits(30, 1 << 20, 1 << 20)).decoders(() -> record -> {
                    String value = new String(record.value(), java.nio.charset.StandardCharsets.UTF_8);
                    if (value.startsWith("bad") && !mended.get()) {
                        throw new IllegalArgumentException("wrong deserializer");
                    }
                    return value;
                }));
        runtime.start();
        fixture.until("failed", () -> state(runtime) == LaneState.FAILED);
        // Batches of 30: 20 and 80 in a row were parked, one more batch would have made it 130.
        assertThat(fixture.count("select max(dead_in_a_row) from tandem.lane")).isBetween(71, 100);
        int parked = dead().size();
        assertThat(parked).isLessThanOrEqualTo(100);
        assertThat(runtime.status().lanes().get(0).problem()).contains("wrong deserializer");

        mended.set(true);
        fixture.resume(runtime, lane);
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertThat(fixture.seen()).isEqualTo(200 - parked);
    }

    /** What an operator does about many bad records that nothing can mend. */
    @Test
    void aLaneWithTooManyDeadLettersInARowGoesOnOnceMoreAreAllowed() {
        Topics.produce(fixture.topic, 0, 40, i -> i >= 8 && i < 20 ? "bad" : "v" + i);
        StreamRuntime strict = badRecordsInARow(5);
        strict.start();
        fixture.until("failed", () -> state(strict) == LaneState.FAILED);
        assertThat(strict.status().lanes().get(0).problem()).contains("max-consecutive-dead-letters");
        assertThat(dead()).isEmpty();
        fixture.stopAll();

        StreamRuntime lenient = badRecordsInARow(12);
        lenient.start();
        fixture.until("failed still", () -> state(lenient) == LaneState.FAILED);
        fixture.resume(lenient, lane);
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertThat(dead()).hasSize(12).startsWith(8L).endsWith(19L);
        assertThat(fixture.seen()).isEqualTo(28);
        assertThat(state(lenient)).isEqualTo(LaneState.ACTIVE);
    }

    private StreamRuntime badRecordsInARow(int max) {
        return fixture.stream(
                batch -> {
                    StreamFixture.note(fixture.jdbc, batch);
                    if (batch.values().contains("bad")) {
                        throw new IllegalStateException("no");
                    }
                },
                stream -> stream.failurePolicy(
                        new FailurePolicy(2, Backoff.DEFAULT, OnFailure.DEAD_LETTER, max, false, true)));
    }

    @Test
    void aBatchThatFailsOnlyAsAWholeParksNobody() {
        Topics.produce(fixture.topic, 0, 30, i -> "v" + i);
        StreamRuntime runtime = fixture.stream(batch -> {
            StreamFixture.note(fixture.jdbc, batch);
            if (batch.size() > 20) {
                throw new IllegalStateException("too many at a time");
            }
        });
        runtime.start();
        fixture.until("failed", () -> state(runtime) == LaneState.FAILED);
        assertThat(dead()).isEmpty();
        assertThat(fixture.seen()).isZero();
        assertThat(runtime.status().lanes().get(0).problem())
                .contains("no record of it fails by itself", "too many at a time");
    }

    @Test
    void aHandlerThatAsksForTheTransactionIdCannotBeTried() {
        Topics.produce(fixture.topic, 0, 20, i -> "v" + i);
        StreamRuntime runtime = fixture.stream(batch -> {
            batch.transactionId();
            StreamFixture.note(fixture.jdbc, batch);
            if (batch.values().contains("v5")) {
                throw new IllegalStateException("five");
            }
        });
        runtime.start();
        fixture.until("failed", () -> state(runtime) == LaneState.FAILED);
        assertThat(dead()).isEmpty();
        assertThat(runtime.status().lanes().get(0).problem())
                .contains("asks for the transaction id", "RecordFailedException", "five");
    }

    @Test
    void aHandlerThatAsksForTheTransactionIdCanNameItsBadRecords() {
        Topics.produce(fixture.topic, 0, 20, i -> "v" + i);
        Set<String> ids = Collections.synchronizedSet(new java.util.LinkedHashSet<>());
        fixture.stream(batch -> {
                    ids.add(batch.transactionId().toString());
                    for (StreamRecord<String> record : batch.records()) {
                        if (record.value().equals("v5") || record.value().equals("v12")) {
                            throw new RecordFailedException(record, new IllegalStateException(record.value()));
                        }
                        note(record, batch);
                    }
                })
                .start();
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertThat(dead()).containsExactly(5L, 12L);
        assertThat(ids).hasSize(1);
    }

    @Test
    void aHandlerThatAsksForTheTransactionIdCanNameItsBadRecordsByIndex() {
        Topics.produce(fixture.topic, 0, 20, i -> "v" + i);
        fixture.stream(batch -> {
                    batch.transactionId();
                    StreamFixture.note(fixture.jdbc, batch);
                    for (int i = 0; i < batch.size(); i++) {
                        if (List.of("v5", "v12").contains(batch.values().get(i))) {
                            throw new RecordFailedException(i, new IllegalStateException("no"));
                        }
                    }
                })
                .start();
        fixture.awaitCaughtUp();

        fixture.ledger.check(fixture.visible());
        assertThat(dead()).containsExactly(5L, 12L);
    }

    /** Somebody's lock may be what it waits for. */
    @Test
    void aTrialThatMeetsATimeLimitIsTriedAgain() {
        Topics.produce(fixture.topic, 0, 10, i -> "v" + i);
        AtomicBoolean waited = new AtomicBoolean();
        fixture.stream(batch -> {
                    StreamFixture.note(fixture.jdbc, batch);
                    if (batch.isTrial() && waited.compareAndSet(false, true)) {
                        fixture.jdbc.execute("set local statement_timeout = 100");
                        fixture.jdbc.execute("select pg_sleep(5)");
                    }
                    if (batch.values().contains("v4")) {
                        throw new IllegalStateException("no");
                    }
                })
                .start();
        fixture.awaitCaughtUp();

        fixture.ledger.check(fixture.visible());
        assertThat(dead()).containsExactly(4L);
    }

    @Test
    void recordsThatAreHeldBehindAKeyDontCountInASearch() {
        Topics.produce(IntStream.range(0, 10)
                .mapToObj(i -> new ProducerRecord<>(fixture.topic, 0, new byte[] {'A'}, ("v" + i).getBytes()))
                .toList());
        fixture.stream(
                        batch -> {
                            throw new IllegalStateException("there is no account A");
                        },
                        stream -> stream.failurePolicy(
                                new FailurePolicy(2, Backoff.DEFAULT, OnFailure.DEAD_LETTER, 5, true, true)))
                .start();
        fixture.awaitCaughtUp();

        assertThat(dead()).containsExactly(0L);
        assertThat(fixture.count("select count(*) from tandem.dead_letter where status = 'held'"))
                .isEqualTo(9);
    }

    @Test
    void aRecordThatTakesTheJvmDownIsFoundByItsDeaths() {
        Topics.produce(fixture.topic, 0, 40, i -> "v" + i);
        AtomicInteger deaths = new AtomicInteger();
        fixture.stream(batch -> {
                    StreamFixture.note(fixture.jdbc, batch);
                    if (batch.values().contains("v17")) {
                        deaths.incrementAndGet();
                        throw new OutOfMemoryError("so to speak");
                    }
                })
                .start();
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertThat(dead()).containsExactly(17L);
        assertThat(text("select message from tandem.dead_letter")).contains("died 3 times");
        // Two attempts, one of all, halves of 40 down to one, and three times that one.
        assertThat(deaths.get()).isBetween(2 + 1 + 3, 2 + 1 + 6 + 3);
    }

    @Test
    void aRecordThatTakesTheJvmDownWhenItIsDecodedIsFoundToo() {
        Topics.produce(fixture.topic, 0, 40, i -> i == 17 || i == 18 ? "bomb" : "v" + i);
        fixture.stream(
                        fixture.probe(),
                        stream -> stream.decoders(() -> record -> {
                            String value = new String(record.value(), StandardCharsets.UTF_8);
                            if (value.equals("bomb")) {
                                throw new OutOfMemoryError("so to speak");
                            }
                            return value;
                        }))
                .start();
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertThat(dead()).containsExactly(17L, 18L);
        assertThat(fixture.seen()).isEqualTo(38);
        assertThat(fixture.count("select count(*) from tandem.dead_letter where message like '%died 3 times%'"))
                .isEqualTo(2);
    }

    /** Of those that aren't the end of the process. */
    @Test
    @Tag("D1")
    void anErrorThatADecoderThrowsParksItsRecord() {
        Topics.produce(fixture.topic, 0, 20, i -> i == 7 ? "bad" : "v" + i);
        fixture.stream(
                        fixture.probe(),
                        stream -> stream.decoders(() -> record -> {
                            String value = new String(record.value(), StandardCharsets.UTF_8);
                            if (value.equals("bad")) {
                                throw new AssertionError("not what was agreed");
                            }
                            return value;
                        }))
                .start();
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertThat(dead()).containsExactly(7L);
        assertThat(text("select cause_class from tandem.dead_letter")).isEqualTo(AssertionError.class.getName());
    }

    /** Each step runs alone, so other lanes wait for a step and not for the search. */
    @Test
    void otherLanesGoOnBetweenTheStepsOfASearch() {
        StreamFixture lanes = new StreamFixture(2);
        List<Integer> othersSeen = new CopyOnWriteArrayList<>();
        JdbcTransactionManager manager = new JdbcTransactionManager(lanes.database);
        manager.setNestedTransactionAllowed(false);
        try {
            Topics.produce(lanes.topic, 0, 40, i -> i % 20 == 9 ? "bad" : "v" + i);
            lanes.stream(
                            batch -> {
                                StreamFixture.note(lanes.jdbc, batch);
                                if (batch.isTrial()) {
                                    if (othersSeen.isEmpty()) {
                                        Topics.produce(lanes.topic, 1, 1, i -> "other");
                                        lanes.until("the other lane waits", SearchLockWait::isOn);
                                    }
                                    othersSeen.add(lanes.count("select count(*) from seen where val = 'other'"));
                                }
                                if (batch.values().contains("bad")) {
                                    throw new IllegalStateException("bad");
                                }
                            },
                            stream -> stream.concurrency(2).transactionManager(manager))
                    .start();
            lanes.awaitCaughtUp();
            lanes.ledger.check(lanes.visible());
        } finally {
            lanes.close();
        }
        assertThat(othersSeen.get(0)).isZero();
        // A step runs the parts up to the one that fails; the others belong to further steps.
        assertThat(othersSeen).contains(1);
    }

    @Test
    void aBatchThatProcessesDiedInIsSearchedByTheNextOne() {
        Topics.produce(fixture.topic, 0, 30, i -> "v" + i);
        diedWith(Trouble.NONE.attempts(3), 30);
        List<String> runs = new CopyOnWriteArrayList<>();
        fixture.stream(batch -> {
                    runs.add(batch.isTrial() ? "trial" : "run");
                    StreamFixture.note(fixture.jdbc, batch);
                })
                .start();
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertThat(dead()).isEmpty();
        assertThat(runs).startsWith("trial", "run");
    }

    /** Each of the first transactions lasts until another one, which only the next owner of the lane can begin, is in. */
    private void runUntilTheNextOwnerRuns(Batch<String> batch, Set<String> transactions, int calm) {
        StreamFixture.note(fixture.jdbc, batch);
        if (transactions.add(text("select pg_current_xact_id()")) && transactions.size() < calm) {
            int mine = transactions.size();
            fixture.until("the next owner is in", () -> transactions.size() > mine);
        }
    }

    /** Two instances that each believe to have the lane, and take it from each other. */
    private void startTwice(Sink<String> sink) {
        for (String group : List.of("one", "another")) {
            fixture.stream(sink, stream -> stream.source(fixture.source(Set.of(fixture.topic), fixture.name + group)))
                    .start();
        }
    }

    @Test
    @Tag("C1")
    void handOversInTheMiddleOfABatchAreNoFailuresOfIt() {
        Topics.produce(fixture.topic, 0, 1, i -> "good");
        Set<String> transactions = ConcurrentHashMap.newKeySet();
        startTwice(batch -> runUntilTheNextOwnerRuns(batch, transactions, 12));
        fixture.until("handed over", () -> transactions.size() >= 12);
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertThat(dead()).isEmpty();
    }

    @Test
    @Tag("C1")
    void handOversInTheMiddleOfATrialAreNoDeathsInIt() {
        Topics.produce(fixture.topic, 0, 10, i -> i == 4 ? "bad" : "v" + i);
        Set<String> transactions = ConcurrentHashMap.newKeySet();
        startTwice(batch -> {
            if (batch.isTrial()) {
                runUntilTheNextOwnerRuns(batch, transactions, 12);
            } else {
                StreamFixture.note(fixture.jdbc, batch);
            }
            if (batch.values().contains("bad")) {
                throw new IllegalStateException("bad");
            }
        });
        fixture.until("handed over", () -> transactions.size() >= 12);
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertThat(dead()).containsExactly(4L);
    }

    @Test
    @Tag("C1")
    void aLaneThatIsRevokedIsNotSearchedToTheEnd() throws InterruptedException {
        fixture.kafka.putAll(KafkaBroker.shared().consumerProperties(GroupProtocol.CLASSIC));
        Topics.produce(fixture.topic, 0, 64, i -> i == 40 ? "bad" : "v" + i);
        CountDownLatch searching = new CountDownLatch(1);
        CountDownLatch revoked = new CountDownLatch(1);
        List<String> trials = new CopyOnWriteArrayList<>();
        StreamRuntime runtime = fixture.stream(batch -> {
            StreamFixture.note(fixture.jdbc, batch);
            if (batch.isTrial()) {
                trials.add(text("select pg_current_xact_id()"));
                searching.countDown();
                revoked.await();
            }
            if (batch.values().contains("bad")) {
                throw new IllegalStateException("bad");
            }
        });
        runtime.start();
        searching.await();
        try (Denied ignored = Denied.group(fixture.group())) {
            fixture.until("revoked", () -> runtime.status().lanes().isEmpty());
        }
        revoked.countDown();
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertThat(dead()).containsExactly(40L);
        assertThat(trials).filteredOn(trials.get(0)::equals).as("parts tried").hasSize(1);
    }

    @Test
    void afterARestartAHandlerThatAsksForTheIdCanNameTheNextBadRecord() {
        Topics.produce(fixture.topic, 0, 20, i -> "v" + i);
        Verdict.Guilty five = new Verdict.Guilty(lane, 5, new Cause("x.Y", "five", null));
        diedWith(Trouble.NONE.attempts(3).with(new Verdict(List.of(five), true)), 20);
        fixture.stream(batch -> {
                    batch.transactionId();
                    StreamFixture.note(fixture.jdbc, batch);
                    for (StreamRecord<String> record : batch.records()) {
                        if (record.value().equals("v5") || record.value().equals("v12")) {
                            throw new RecordFailedException(record, new IllegalStateException(record.value()));
                        }
                    }
                })
                .start();
        fixture.awaitCaughtUp();
        assertThat(dead()).containsExactly(5L, 12L);
    }

    @Test
    void aVerdictThatAProcessLeftIsCarriedOut() {
        Topics.produce(fixture.topic, 0, 30, i -> "v" + i);
        Verdict verdict = new Verdict(List.of(new Verdict.Guilty(lane, 9, new Cause("x.Y", "left\0behind", null))));
        diedWith(Trouble.NONE.attempts(3).with(verdict), 30);
        fixture.stream(fixture.probe()).start();
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertThat(dead()).containsExactly(9L);
        assertThat(text("select cause_class || ' ' || message from tandem.dead_letter"))
                .isEqualTo("x.Y left\uFFFDbehind");
    }

    @Test
    @Tag("F2")
    void anErrorOfSqlThatTheHandlerSwallowsIsItsFailureWithTheFirstCause() {
        fixture.jdbc.execute("create table once (val text primary key)");
        Topics.produce(fixture.topic, 0, 5, i -> i == 3 ? "v1" : "v" + i);
        fixture.stream(batch -> {
                    StreamFixture.note(fixture.jdbc, batch);
                    for (String value : batch.values()) {
                        try {
                            fixture.jdbc.update("insert into once values (?)", value);
                        } catch (DataIntegrityViolationException swallowed) {
                            // as users do
                        }
                    }
                })
                .start();
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertThat(dead()).containsExactly(3L);
        assertThat(text("select stack_trace from tandem.dead_letter")).contains("once_pkey");
    }

    @Test
    void aRecordThatCopyRefusesIsTriedFirst() {
        fixture.jdbc.execute("create table amount (id bigint primary key, cents int not null)");
        PostgresWriter<StreamRecord<String>> amounts = PostgresWriter.<StreamRecord<String>>copyInto("amount")
                .column("id", StreamRecord::offset)
                .column("cents", StreamRecord::value)
                .on(fixture.database);
        Topics.produce(fixture.topic, 0, 200, i -> i == 117 ? "12,50" : String.valueOf(i));
        AtomicInteger handed = new AtomicInteger();
        fixture.stream(batch -> {
                    handed.addAndGet(batch.size());
                    StreamFixture.note(fixture.jdbc, batch);
                    amounts.write(batch.records());
                })
                .start();
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertThat(dead()).containsExactly(117L);
        assertThat(fixture.count("select count(*) from amount")).isEqualTo(199);
        assertThat(text("select cause_class || message from tandem.dead_letter"))
                .contains("RowFailedException", "column cents", "12,50");
        assertThat(handed).as("all, around the bad one, and without it").hasValueLessThanOrEqualTo(3 * 200);
    }

    @Test
    void aConstraintThatIsCheckedAtCommitFindsItsRecord() {
        fixture.jdbc.execute("alter table seen add constraint one_each unique (val) deferrable initially deferred");
        Topics.produce(fixture.topic, 0, 20, i -> i == 15 ? "v2" : "v" + i);
        fixture.stream(fixture.probe()).start();
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertThat(dead()).containsExactly(15L);
    }

    @Test
    void effectsInTheDatabaseChangeNothing() {
        Topics.produce(fixture.topic, 0, 60, i -> "v" + i);
        fixture.stream(
                        batch -> {
                            StreamFixture.note(fixture.jdbc, batch);
                            if (batch.values().contains("v44")) {
                                throw new IllegalStateException("no");
                            }
                        },
                        stream -> stream.effects(Effects.DATABASE).limits(new Limits(20, 1 << 20, 1 << 20)))
                .start();
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertThat(dead()).containsExactly(44L);
    }

    @Test
    void transientFailuresInATrialAreNoRecordsFault() {
        Topics.produce(fixture.topic, 0, 40, i -> "v" + i);
        AtomicInteger cut = new AtomicInteger();
        fixture.stream(batch -> {
                    StreamFixture.note(fixture.jdbc, batch);
                    if (batch.isTrial() && batch.values().contains("v10") && cut.getAndIncrement() < 2) {
                        fixture.jdbc.execute("select pg_terminate_backend(pg_backend_pid())");
                    }
                    if (batch.values().contains("v30")) {
                        throw new IllegalStateException("no");
                    }
                })
                .start();
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertThat(dead()).containsExactly(30L);
        assertThat(cut.get()).isGreaterThanOrEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLostConnectionThatTheHandlerSwallowsIsNoRecordsFault(boolean savepoints) {
        Topics.produce(fixture.topic, 0, 40, i -> "v" + i);
        AtomicInteger cut = new AtomicInteger();
        JdbcTransactionManager manager = new JdbcTransactionManager(fixture.database);
        manager.setNestedTransactionAllowed(savepoints);
        fixture.stream(
                        batch -> {
                            StreamFixture.note(fixture.jdbc, batch);
                            if (batch.isTrial() && batch.values().contains("v10") && cut.getAndIncrement() < 4) {
                                try {
                                    fixture.jdbc.execute("select pg_terminate_backend(pg_backend_pid())");
                                } catch (RuntimeException swallowed) {
                                    throw new IllegalStateException("something happened");
                                }
                            }
                            if (batch.values().contains("v30")) {
                                throw new IllegalStateException("no");
                            }
                        },
                        stream -> stream.transactionManager(manager))
                .start();
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertThat(dead()).containsExactly(30L);
        assertThat(cut.get()).isGreaterThanOrEqualTo(5);
    }

    @Test
    void manyBadRecordsCostABoundedNumberOfRuns() {
        fixture.jdbc.execute("alter table seen add constraint no_bad check (val not like 'bad%')");
        List<Long> bad =
                LongStream.range(0, 37).map(i -> i * 269 + i * i % 100).boxed().toList();
        Topics.produce(fixture.topic, 0, 10_000, i -> bad.contains((long) i) ? "bad" : "v" + i);
        AtomicInteger handed = new AtomicInteger();
        fixture.stream(
                        batch -> {
                            handed.addAndGet(batch.size());
                            StreamFixture.note(fixture.jdbc, batch);
                        },
                        stream -> stream.limits(new Limits(1000, 1 << 20, 1 << 20)))
                .start();
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertThat(dead()).isEqualTo(bad);
        assertThat(handed.get()).isLessThan(4 * 10_000);
    }

    @Test
    void onFailureStopParksNobody() {
        Topics.produce(fixture.topic, 0, 10, i -> "v" + i);
        StreamRuntime runtime = fixture.stream(
                batch -> {
                    throw new IllegalStateException("no");
                },
                stream -> stream.failurePolicy(StreamFixture.failures(2, OnFailure.STOP, true)));
        runtime.start();
        fixture.until("failed", () -> state(runtime) == LaneState.FAILED);
        assertThat(dead()).isEmpty();
    }

    @Test
    void aLaneThatIsResumedGetsAFreshTrial() {
        Topics.produce(fixture.topic, 0, 20, i -> "v" + i);
        AtomicBoolean mended = new AtomicBoolean();
        List<String> runs = new CopyOnWriteArrayList<>();
        StreamRuntime runtime = fixture.stream(
                batch -> {
                    runs.add(batch.isTrial() ? "trial" : "run");
                    StreamFixture.note(fixture.jdbc, batch);
                    if (!mended.get()) {
                        throw new IllegalStateException("no");
                    }
                },
                stream -> stream.failurePolicy(
                        new FailurePolicy(2, Backoff.DEFAULT, OnFailure.DEAD_LETTER, 5, false, true)));
        runtime.start();
        fixture.until("failed", () -> state(runtime) == LaneState.FAILED);
        runs.clear();
        mended.set(true);
        fixture.resume(runtime, lane);
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertThat(runs).containsExactly("run");
    }

    private void note(StreamRecord<String> record, Batch<String> batch) {
        fixture.jdbc.update(
                "insert into seen (lane, part, off, val, batch_id) values (?, ?, ?, ?, ?)",
                batch.lane(),
                record.partition(),
                record.offset(),
                record.value(),
                batch.id());
    }

    /** What processes leave that planned batch 0, noted this of it, and died. */
    private void diedWith(Trouble trouble, long end) {
        Checkpoint checkpoint = StreamFixture.checkpoint(fixture.database);
        var source = fixture.source(Set.of(fixture.topic));
        checkpoint.register(
                fixture.name,
                Set.of(fixture.topic),
                source.resolve(Set.of(fixture.topic), new StartingOffsets.Earliest()));
        source.stop();
        Claim claim = checkpoint
                .claim(new LaneId(fixture.name, lane), UUID.randomUUID())
                .orElseThrow();
        Plan plan = new Plan(0, 0, OffsetRange.of(lane, 0, end));
        assertThat(checkpoint.plan(List.of(new Checkpoint.PlannedBatch(claim.fence(), plan))))
                .hasSize(1);
        assertThat(checkpoint.note(claim.fence(), trouble)).isTrue();
    }

    private LaneState state(StreamRuntime runtime) {
        return runtime.status().lanes().stream()
                .filter(status -> status.lane().equals(lane))
                .findFirst()
                .map(status -> status.state())
                .orElse(LaneState.ACTIVE);
    }

    private List<Long> dead() {
        return fixture.jdbc.queryForList(
                "select record_offset from tandem.dead_letter where status = 'parked' order by record_offset",
                Long.class);
    }

    private String text(String sql) {
        return String.valueOf(fixture.jdbc.queryForObject(sql, String.class));
    }
}
