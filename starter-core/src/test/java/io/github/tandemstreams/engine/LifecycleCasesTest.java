package io.github.tandemstreams.engine;

import static io.github.tandemstreams.engine.StreamContract.lane;
import static io.github.tandemstreams.engine.StreamContract.produce;
import static io.github.tandemstreams.engine.StreamContract.state;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.OnFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases K: errors that end threads elsewhere are told here, and never end in silence. */
class LifecycleCasesTest {

    @ParameterizedTest
    @ValueSource(classes = {StackOverflowError.class, NoClassDefFoundError.class})
    @Tag("K5")
    void anErrorOfTheJvmRollsItsBatchBackAndFailsItsLaneAlone(Class<? extends Error> type) {
        try (StreamFixture fixture = new StreamFixture(2)) {
            produce(fixture, 40);
            AtomicBoolean mended = new AtomicBoolean();
            String bad = fixture.topic + "-1";
            StreamRuntime runtime = fixture.stream(
                    batch -> {
                        StreamFixture.note(fixture.jdbc, batch);
                        if (batch.lane().equals(bad) && !mended.get()) {
                            throw type.getDeclaredConstructor().newInstance();
                        }
                    },
                    stream -> stream.failurePolicy(StreamFixture.failures(2, OnFailure.STOP, true)));
            runtime.start();
            fixture.until("failed", () -> state(runtime, bad) == LaneState.FAILED);
            fixture.awaitSeen(20);
            assertThat(lane(runtime, bad).problem()).contains(type.getSimpleName());
            assertThat(fixture.count("select count(*) from seen where lane = ?", bad))
                    .isZero();

            mended.set(true);
            new Streams(List.of(runtime), Duration.ofSeconds(5)).resume(fixture.name, bad);
            produce(fixture, 40);
            fixture.awaitSeen(80);
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    @Tag("K5")
    void rightsThatAreTakenAwayAreToldAndWaitedFor() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            fixture.kafka.put("heartbeat.interval.ms", "200");
            fixture.kafka.put("session.timeout.ms", "6000");
            produce(fixture, 10);
            StreamRuntime runtime = fixture.stream(fixture.probe());
            runtime.start();
            fixture.awaitSeen(10);
            try (Denied ignored = Denied.group(fixture.group())) {
                fixture.until("told", () -> runtime.status().problem() != null);
                assertThat(runtime.status().problem()).contains(fixture.group());
                produce(fixture, 10);
            }
            fixture.awaitSeen(20);
            fixture.until("nothing to tell any more", () -> runtime.status().problem() == null);
            fixture.ledger.check(fixture.visible());
        }
    }
}
