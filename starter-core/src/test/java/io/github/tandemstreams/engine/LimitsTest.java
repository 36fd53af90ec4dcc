package io.github.tandemstreams.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.kafka.KafkaSource;
import io.github.tandemstreams.source.RawRecord;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** What is bounded stays so, and nothing is lost where a single record is beyond a bound. */
class LimitsTest {

    private static final int MIB = 1 << 20;

    @Test
    void recordsLargerThanAnyLimitAreBatchesOfTheirOwn() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            fixture.kafka.put("fetch.max.bytes", "1024");
            fixture.kafka.put("max.partition.fetch.bytes", "1024");
            Topics.produce(fixture.topic, 0, 20, i -> "v".repeat(i % 3 == 0 ? 100_000 : 10));
            fixture.stream(fixture.probe(), stream -> stream.limits(new Limits(5000, 2000, 4000)))
                    .start();
            fixture.awaitCaughtUp();

            fixture.ledger.check(fixture.visible());
            assertThat(fixture.count("select count(*) from seen where length(val) = 100000"))
                    .isEqualTo(7);
            assertThat(fixture.count("select count(*) from tandem.commit_log")).isGreaterThanOrEqualTo(7);
        }
    }

    /** What is read ahead is bounded for all lanes of an instance together, however many they are. */
    @Test
    void fiveHundredLanesReadAheadWithinOneBound() {
        Limits limits = new Limits(5000, 16 * MIB, 64 * MIB);
        Lanes lanes = new Lanes("s", limits, List.of(idleWorker()), LagReporter.Pace.DEFAULT.knownFor());
        for (int i = 0; i < 500; i++) {
            lanes.assigned("topic-" + i);
        }
        lanes.all().forEach(LimitsTest::open);

        long read = 0;
        for (boolean more = true; more && read < 128L * MIB; ) {
            more = false;
            for (Lane lane : lanes.all()) {
                if (lane.wantsMore()) {
                    lane.accept(List.of(new RawRecord("topic", 0, read, 0, null, new byte[4096], List.of())));
                    read += 4096;
                    more = true;
                }
            }
        }

        // One record beyond the bound for each, since it is looked at between polls.
        assertThat(read).isBetween(64L * MIB, 64L * MIB + 500 * 4096);
    }

    private static void open(Lane lane) {
        lane.buffer.seek(0, 0);
        lane.opened(lane.takeSeek().orElseThrow());
    }

    /** Nobody runs it. */
    private static Worker idleWorker() {
        DataSource none = new PGSimpleDataSource();
        StreamDefinition<String> stream = StreamDefinition.<String>named("s")
                .source(KafkaSource.builder(Set.of("topic"), "group")
                        .consumerProperties(Map.of("bootstrap.servers", "localhost:1"))
                        .build())
                .decoders(() -> record -> "")
                .sink(batch -> {})
                .checkpoint(StreamFixture.checkpoint(none))
                .transactionManager(new JdbcTransactionManager(none))
                .build();
        Clock clock = Clock.systemUTC();
        return new Worker(
                stream,
                new LaneClaimer(stream, clock),
                new ProgressReporter(List.of(), "test", clock),
                new ReentrantReadWriteLock(),
                clock);
    }
}
