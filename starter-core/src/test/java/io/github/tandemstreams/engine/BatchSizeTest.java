package io.github.tandemstreams.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Batches that are to last a certain time. */
class BatchSizeTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void withoutATargetOnlyTheLimitCounts() {
        BatchSize size = new BatchSize(5000, null);
        size.measured(5000, SECOND.multipliedBy(100));
        assertThat(size.records()).isEqualTo(5000);
    }

    @Test
    void aSinkThatKeepsUpGetsMoreAndMoreUpToTheLimit() {
        BatchSize size = new BatchSize(5000, SECOND);
        assertThat(size.records()).isEqualTo(500);
        size.measured(500, SECOND.dividedBy(100));
        assertThat(size.records()).isEqualTo(1000);
        for (int batch = 0; batch < 5; batch++) {
            size.measured(size.records(), SECOND.dividedBy(100));
        }
        assertThat(size.records()).isEqualTo(5000);
    }

    @Test
    void aSlowOneGetsWhatItDoesInTheTargetsTime() {
        BatchSize size = new BatchSize(5000, SECOND);
        for (int batch = 0; batch < 10; batch++) {
            size.measured(size.records(), Duration.ofMillis(20L * size.records()));
        }
        assertThat(size.records()).isEqualTo(50);
        size.measured(50, SECOND.multipliedBy(1000));
        assertThat(size.records()).isEqualTo(25);
    }

    @Test
    void aBatchThatWasNotFullTellsOnlyWhenItWasTooLong() {
        BatchSize size = new BatchSize(5000, SECOND);
        size.measured(3, SECOND.dividedBy(100));
        assertThat(size.records()).isEqualTo(500);
        size.measured(3, SECOND.multipliedBy(2));
        assertThat(size.records()).isEqualTo(250);
    }

    @Test
    void thereIsAlwaysRoomForARecord() {
        BatchSize size = new BatchSize(2, SECOND);
        size.measured(2, SECOND.multipliedBy(60));
        size.measured(1, SECOND.multipliedBy(60));
        assertThat(size.records()).isEqualTo(1);
    }

    /** Each record takes 1 ms at least, so no more than 40 are done in 40 ms. */
    @Test
    void batchesOfASlowHandlerBecomeSmall() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            Topics.produce(fixture.topic, 0, 3000, i -> "v" + i);
            fixture.stream(
                            batch -> {
                                fixture.jdbc.queryForList("select pg_sleep(?)", batch.size() * 0.001);
                                StreamFixture.note(fixture.jdbc, batch);
                            },
                            stream -> stream.targetBatchDuration(Duration.ofMillis(40)))
                    .start();
            fixture.awaitCaughtUp();
            fixture.ledger.check(fixture.visible());
            List<Integer> sizes =
                    fixture.jdbc.queryForList("select records from tandem.commit_log order by batch", Integer.class);
            assertThat(sizes.get(0)).isEqualTo(500);
            assertThat(sizes.subList(sizes.size() - 10, sizes.size()))
                    .allSatisfy(records -> assertThat(records).isBetween(1, 40));
        }
    }
}
