package io.github.tandemstreams.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.IsolationLevel;
import org.junit.jupiter.api.Test;

class TroubleTest {

    private final AtomicLong nanoTime = new AtomicLong();
    private final RecordingLanes lanes = RecordingLanes.fromTheStart();
    private final Trouble trouble = new Trouble(
            new ConsumerSettings(
                    Set.of("flights"),
                    "ours",
                    "ours-client",
                    Map.of("bootstrap.servers", "localhost:1"),
                    IsolationLevel.READ_COMMITTED,
                    500,
                    Duration.ofMillis(100)),
            lanes,
            nanoTime::get);

    /** As with a wrong password: each consumer polls once, and ends; the next one comes after half a minute. */
    @Test
    void itIsNotOverBecauseTheNextConsumerIsLateToFail() {
        for (int life = 0; life < 5; life++) {
            trouble.begins();
            trouble.polling();
            trouble.found("the login is refused");
            pass(Duration.ofSeconds(30));
        }
        assertThat(lanes.troubles).containsExactly("the login is refused");
        assertThat(lanes.recoveries).isEmpty();
    }

    @Test
    void itIsOverWhenAConsumerHasPolledForAWhile() {
        trouble.begins();
        trouble.found("the login is refused");
        pass(Duration.ofSeconds(30));
        trouble.begins();
        for (int second = 0; second < 6; second++) {
            trouble.polling();
            assertThat(lanes.recoveries).isEmpty();
            pass(Duration.ofSeconds(1));
        }
        trouble.polling();
        assertThat(lanes.recoveries).hasSize(1);
    }

    private void pass(Duration time) {
        nanoTime.addAndGet(time.toNanos());
    }
}
