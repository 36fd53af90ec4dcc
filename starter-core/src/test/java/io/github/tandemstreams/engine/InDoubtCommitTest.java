package io.github.tandemstreams.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.tandemstreams.OnFailure;
import io.github.tandemstreams.test.CommitCutter;
import io.github.tandemstreams.test.CommitCutter.Cut;
import io.github.tandemstreams.test.PostgresServer;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** COMMITs whose answer never arrives: of batches, plans and claims alike. */
class InDoubtCommitTest {

    private static final int CUTS = 100;

    @Test
    @Tag("F1")
    void aHundredCommitsWithoutAnAnswerLoseAndDoubleNothing() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        try (StreamFixture fixture = new StreamFixture(2);
                CommitCutter cutter = new CommitCutter(fixture.unpooled.getPortNumbers()[0]);
                HikariDataSource throughTheCutter = pool(fixture, cutter)) {
            JdbcTemplate jdbc = new JdbcTemplate(throughTheCutter);
            StreamRuntime runtime = fixture.stream(
                    batch -> StreamFixture.note(jdbc, batch),
                    throughTheCutter,
                    definition -> definition.limits(new Limits(10, 1 << 20, 1 << 24)));
            runtime.start();
            int produced = 0;
            while (cutter.cuts() < CUTS) {
                cutter.arm(random.nextBoolean() ? Cut.BEFORE_THE_SERVER_GETS_IT : Cut.AFTER_THE_SERVER_COMMITTED);
                int records = 1 + random.nextInt(30);
                Topics.produce(fixture.topic, random.nextInt(2), records, i -> "v");
                produced += records;
                fixture.until("a COMMIT met the cutter (seed " + seed + ")", () -> !cutter.isArmed());
            }
            fixture.awaitSeen(produced);
            fixture.awaitCaughtUp();
            fixture.ledger.check(fixture.visible());
            assertThat(fixture.progress.stream().mapToInt(p -> p.records()).sum())
                    .as("records reported, seed %d", seed)
                    .isLessThanOrEqualTo(produced);
        }
    }

    /** Nobody died in such a run, and the next may pass. */
    @Test
    @Tag("F1")
    void commitsWithoutAnAnswerAreNoFailuresOfTheirBatch() throws Exception {
        try (StreamFixture fixture = new StreamFixture(1);
                CommitCutter cutter = new CommitCutter(fixture.unpooled.getPortNumbers()[0]);
                HikariDataSource throughTheCutter = pool(fixture, cutter)) {
            JdbcTemplate jdbc = new JdbcTemplate(throughTheCutter);
            AtomicInteger runs = new AtomicInteger();
            Topics.produce(fixture.topic, 0, 5, i -> "v" + i);
            fixture.stream(
                            batch -> {
                                StreamFixture.note(jdbc, batch);
                                if (runs.incrementAndGet() <= 6) {
                                    cutter.arm(Cut.BEFORE_THE_SERVER_GETS_IT);
                                }
                            },
                            throughTheCutter,
                            stream -> stream.failurePolicy(StreamFixture.failures(3, OnFailure.STOP, true)))
                    .start();
            fixture.awaitCaughtUp();
            fixture.ledger.check(fixture.visible());
            assertThat(runs.get()).isGreaterThan(6);
        }
    }

    private static HikariDataSource pool(StreamFixture fixture, CommitCutter cutter) {
        PGSimpleDataSource cut =
                PostgresServer.as(fixture.unpooled, fixture.unpooled.getUser(), fixture.unpooled.getPassword());
        cut.setServerNames(new String[] {"127.0.0.1"});
        cut.setPortNumbers(new int[] {cutter.port()});
        cut.setPrepareThreshold(0);
        return StreamFixture.pool(cut);
    }
}
