package io.github.tandemstreams.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.DeadLetterRecord;
import io.github.tandemstreams.DeadLetters;
import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.RecordFailedException;
import io.github.tandemstreams.RecordHeader;
import io.github.tandemstreams.StreamRecord;
import io.github.tandemstreams.source.Decoder;
import io.github.tandemstreams.test.PostgresServer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Failure cases that others met with bad records and dead letters; the tags are the ids of the cases. */
class BadRecordCasesTest {

    private static final byte[] BROKEN = {'{', (byte) 0xff, 0, '}'};

    @Test
    @Tag("D1")
    void brokenBytesAreDeadLettersByteForByteInTheBatchsOwnTransaction() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                byte[] value = i == 3 || i == 7 ? BROKEN : bytes("{}");
                var record = new ProducerRecord<>(fixture.topic, 0, new byte[] {(byte) 0xfe, (byte) i}, value);
                record.headers().add("trace", new byte[] {(byte) 0x80, (byte) i});
                records.add(record);
            }
            Topics.produce(records);
            StreamContract.crashAfterPlanning(fixture, 0, 10);
            StreamRuntime runtime = fixture.stream(fixture.probe(), stream -> stream.decoders(() -> STRICT));
            runtime.start();
            fixture.awaitCaughtUp();

            assertThat(fixture.seen()).isEqualTo(8);
            List<DeadLetterRecord> letters = letters(fixture, runtime);
            assertThat(letters).extracting(DeadLetterRecord::offset).containsExactly(3L, 7L);
            for (DeadLetterRecord letter : letters) {
                byte offset = (byte) letter.offset();
                assertThat(letter.value()).isEqualTo(BROKEN);
                assertThat(letter.key()).isEqualTo(new byte[] {(byte) 0xfe, offset});
                assertThat(letter.headers())
                        .extracting(RecordHeader::value)
                        .containsExactly(new byte[] {(byte) 0x80, offset});
                assertThat(letter.causeType()).isEqualTo(java.nio.charset.MalformedInputException.class.getName());
            }
            assertThat(fixture.count("select count(*) from tandem.commit_log")).isEqualTo(1);
            assertThat(fixture.count("select count(distinct xmin::text) from"
                            + " (select xmin from seen union all select xmin from tandem.dead_letter"
                            + " union all select xmin from tandem.commit_log) written"))
                    .as("transactions")
                    .isEqualTo(1);
            fixture.ledger.check(fixture.visible());
        }
    }

    /** No right to write dead letters, or a table that refuses them: the lane stops and says so, the other one goes on. */
    @ParameterizedTest
    @Tag("D5")
    @CsvSource(delimiter = '|', textBlock = """
            revoke insert on tandem.dead_letter from %s                 | grant insert on tandem.dead_letter to %s
            alter table tandem.dead_letter add constraint no check(false) | alter table tandem.dead_letter drop constraint no
            """)
    void aDeadLetterThatCantBeWrittenFailsItsLaneAndNothingIsSkipped(String broken, String mended) {
        try (StreamFixture fixture = RestrictedRoleTest.restricted(2)) {
            var owner = PostgresServer.newDatabase();
            owner.setDatabaseName(fixture.unpooled.getDatabaseName());
            PostgresServer.execute(owner, broken.formatted(fixture.unpooled.getUser()));
            Topics.produce(fixture.topic, 0, 20, i -> i == 4 ? "poison" : "v" + i);
            Topics.produce(fixture.topic, 1, 20, i -> "v" + i);
            StreamRuntime runtime = fixture.stream(batch -> {
                StreamFixture.note(fixture.jdbc, batch);
                if (batch.values().contains("poison")) {
                    throw new IllegalStateException("poison");
                }
            });
            runtime.start();
            String lane = fixture.topic + "-0";
            fixture.until("failed", () -> StreamContract.state(runtime, lane) == LaneState.FAILED);
            assertThat(StreamContract.lane(runtime, lane).problem()).contains("dead_letter");
            fixture.until("the other lane is through", () -> fixture.seen() == 20);
            Topics.produce(fixture.topic, 1, 5, i -> "later-" + i);
            fixture.until("the other lane goes on", () -> fixture.seen() == 25);
            assertThat(fixture.count("select count(*) from seen where lane = ?", lane))
                    .isZero();
            assertThat(fixture.count("select count(*) from tandem.dead_letter")).isZero();
            assertThat(fixture.ledger.positions()).containsEntry(lane, 0L);

            PostgresServer.execute(owner, mended.formatted(fixture.unpooled.getUser()));
            fixture.resume(runtime, lane);
            fixture.awaitCaughtUp();
            assertThat(letters(fixture, runtime))
                    .extracting(DeadLetterRecord::offset)
                    .containsExactly(4L);
            fixture.ledger.check(fixture.visible());
        }
    }

    /** The record that is named stands at another offset, or on another partition. */
    @ParameterizedTest
    @Tag("D9")
    @CsvSource({"0, 1000", "7, 4"})
    void aRecordThatIsntInTheBatchNamesNothing(int partition, long offset) {
        try (StreamFixture fixture = new StreamFixture(1)) {
            Topics.produce(fixture.topic, 0, 10, i -> "v" + i);
            StreamRuntime runtime = fixture.stream(batch -> {
                StreamFixture.note(fixture.jdbc, batch);
                if (batch.values().contains("v6")) {
                    StreamRecord<String> some = batch.records().get(0);
                    var foreign = new StreamRecord<>(
                            "foreign", some.key(), some.timestamp(), some.headers(), some.topic(), partition, offset);
                    throw new RecordFailedException(foreign, new IllegalStateException("the real error"));
                }
            });
            runtime.start();
            fixture.awaitCaughtUp();
            DeadLetterRecord letter = letters(fixture, runtime).get(0);
            assertThat(letter.offset()).isEqualTo(6);
            assertThat(letter.stackTrace()).contains("the real error").doesNotContain("NullPointerException");
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    @Tag("D11")
    void nullKeysNullHeadersRepeatedNamesAndNoMessageReachHandlerAndDeadLetterUnchanged() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            var record = new ProducerRecord<byte[], byte[]>(fixture.topic, 0, (byte[]) null, bytes("v"));
            record.headers().add("a", null);
            record.headers().add("a", new byte[0]);
            record.headers().add("b", new byte[] {(byte) 0xff, 0});
            Topics.produce(List.of(record));
            List<StreamRecord<String>> handled = new CopyOnWriteArrayList<>();
            StreamRuntime runtime = fixture.stream(batch -> {
                handled.addAll(batch.records());
                throw new RuntimeException((String) null);
            });
            runtime.start();
            fixture.awaitCaughtUp();
            assertThat(handled).isNotEmpty().allSatisfy(each -> {
                assertThat(each.key()).isNull();
                assertSame(each.headers());
            });
            DeadLetterRecord letter = letters(fixture, runtime).get(0);
            assertThat(letter.key()).isNull();
            assertThat(letter.message()).isNull();
            assertThat(letter.causeType()).isEqualTo(RuntimeException.class.getName());
            assertSame(letter.headers());
            fixture.ledger.check(fixture.visible());
        }
    }

    private static void assertSame(List<RecordHeader> headers) {
        assertThat(headers).extracting(RecordHeader::name).containsExactly("a", "a", "b");
        assertThat(headers)
                .extracting(RecordHeader::value)
                .containsExactly(null, new byte[0], new byte[] {(byte) 0xff, 0});
    }

    /** Unlike {@code new String(bytes)}, refuses what isn't UTF-8. */
    private static final Decoder<String> STRICT = record -> decode(record.value());

    private static String decode(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }

    static List<DeadLetterRecord> letters(StreamFixture fixture, StreamRuntime runtime) {
        DeadLetters letters = new StreamDeadLetters(() -> List.of(runtime));
        return letters.waiting(fixture.name, 0, 1000);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
