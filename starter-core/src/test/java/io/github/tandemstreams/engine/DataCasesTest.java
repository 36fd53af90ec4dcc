package io.github.tandemstreams.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.DeadLetterRecord;
import io.github.tandemstreams.OnFailure;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Failure cases that others met with data that Postgres doesn't take as it is; the tags are the ids of the cases. */
class DataCasesTest {

    private final StreamFixture fixture = new StreamFixture(1);

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @Tag("E1")
    void aNulThatPostgresRefusesIsAFaultOfItsRecordAndIsKeptInTheDeadLetter() {
        byte[] key = "a\0b".getBytes(StandardCharsets.UTF_8);
        byte[] value = "x\0y".getBytes(StandardCharsets.UTF_8);
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            byte[] bytes = i == 11 ? value : ("v" + i).getBytes(StandardCharsets.UTF_8);
            var record = new ProducerRecord<>(fixture.topic, 0, key, bytes);
            record.headers().add("h\0", new byte[] {0});
            records.add(record);
        }
        Topics.produce(records);
        StreamRuntime runtime = fixture.stream(fixture.probe());
        runtime.start();
        fixture.awaitCaughtUp();

        assertThat(fixture.seen()).isEqualTo(19);
        assertThat(BadRecordCasesTest.letters(fixture, runtime)).singleElement().satisfies(letter -> {
            assertThat(letter.offset()).isEqualTo(11);
            assertThat(letter.key()).isEqualTo(key);
            assertThat(letter.value()).isEqualTo(value);
            assertThat(letter.headers()).singleElement().satisfies(header -> {
                assertThat(header.name()).isEqualTo("h\0");
                assertThat(header.value()).isEqualTo(new byte[] {0});
            });
            assertThat(letter.message()).contains("0x00");
        });
        fixture.ledger.check(fixture.visible());
    }

    /** Far more rows than a statement has parameters: effects, dead letters and keys that are looked up. */
    @Test
    @Tag("E3")
    void aBatchOfSeventyThousandRecordsIsOneBatch() {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int i = 0; i < 70_000; i++) {
            byte[] key = ("k" + i).getBytes(StandardCharsets.UTF_8);
            records.add(new ProducerRecord<>(fixture.topic, 0, key, i % 2 == 0 ? new byte[] {'v'} : new byte[] {'b'}));
        }
        Topics.produce(records);
        StreamContract.crashAfterPlanning(fixture, 0, 70_000);
        startWithHugeBatches();
        fixture.awaitCaughtUp();

        assertThat(fixture.count("select count(*) from tandem.commit_log")).isEqualTo(1);
        assertThat(fixture.seen()).isEqualTo(35_000);
        assertThat(fixture.count("select dead_letters from tandem.commit_log")).isEqualTo(35_000);
        fixture.ledger.check(fixture.visible());

        // With dead letters waiting, the next batch's 70,000 keys are looked up among theirs, together.
        fixture.stopAll();
        Topics.produce(records.stream()
                .map(record -> new ProducerRecord<>(fixture.topic, 0, record.key(), new byte[] {'v'}))
                .toList());
        StreamContract.crashAfterPlanning(fixture, 0, 140_000);
        startWithHugeBatches();
        fixture.awaitCaughtUp();
        assertThat(fixture.count("select count(*) from tandem.commit_log")).isEqualTo(2);
        assertThat(fixture.seen()).isEqualTo(35_000 + 35_000);
        assertThat(fixture.count("select count(*) from tandem.dead_letter where status = 'held'"))
                .isEqualTo(35_000);
    }

    private void startWithHugeBatches() {
        fixture.stream(
                        batch -> fixture.jdbc.update(
                                "insert into seen (lane, part, off, val, batch_id)"
                                        + " select ?, 0, unnest(?::bigint[]), 'v', ?",
                                batch.lane(),
                                batch.records().stream()
                                        .map(record -> record.offset())
                                        .toArray(Long[]::new),
                                batch.id()),
                        stream -> stream.limits(new Limits(100_000, 1 << 28, 1 << 28))
                                .decoders(() -> record -> {
                                    if (record.value()[0] == 'b') {
                                        throw new Unreadable();
                                    }
                                    return "v";
                                })
                                .failurePolicy(
                                        new FailurePolicy(3, Backoff.DEFAULT, OnFailure.DEAD_LETTER, 100, true, true)))
                .start();
    }

    /** Thrown often: without a stack trace. */
    private static final class Unreadable extends RuntimeException {
        Unreadable() {
            super("unreadable", null, false, false);
        }
    }

    /** Longer than an index entry may be, and equal for longer than one, too. */
    @Test
    @Tag("E7")
    void keysOfTenKilobytesAreKeptAndToldApart() {
        byte[] one = new byte[10_240];
        new Random(7).nextBytes(one);
        byte[] other = Arrays.copyOf(one, one.length);
        other[9_000]++;
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        records.add(record(one, "bad"));
        records.add(record(other, "good"));
        records.add(record(one, "behind bad"));
        Topics.produce(records);
        StreamRuntime runtime = fixture.stream(
                batch -> {
                    StreamFixture.note(fixture.jdbc, batch);
                    if (batch.values().contains("bad")) {
                        throw new IllegalStateException("bad");
                    }
                },
                stream -> stream.failurePolicy(
                        new FailurePolicy(2, Backoff.DEFAULT, OnFailure.DEAD_LETTER, 100, true, true)));
        runtime.start();
        fixture.awaitCaughtUp();
        Topics.produce(List.of(record(other, "bad"), record(other, "behind bad"), record(null, "no key")));
        fixture.awaitCaughtUp();

        List<DeadLetterRecord> letters = BadRecordCasesTest.letters(fixture, runtime);
        assertThat(letters)
                .extracting(letter -> letter.offset() + " " + letter.status())
                .containsExactly("0 PARKED", "2 HELD", "3 PARKED", "4 HELD");
        assertThat(letters).extracting(DeadLetterRecord::key).containsExactly(one, one, other, other);
        assertThat(fixture.jdbc.queryForList("select val from seen order by off", String.class))
                .containsExactly("good", "no key");
        assertThat(new StreamDeadLetters(() -> List.of(runtime)).eraseKey(fixture.name, one))
                .isEqualTo(2);
    }

    private ProducerRecord<byte[], byte[]> record(byte @org.jspecify.annotations.Nullable [] key, String value) {
        return new ProducerRecord<>(fixture.topic, 0, key, value.getBytes(StandardCharsets.UTF_8));
    }
}
