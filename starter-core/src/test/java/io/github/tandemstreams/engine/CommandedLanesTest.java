package io.github.tandemstreams.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.StreamCommand.Action;
import io.github.tandemstreams.simulation.SimulatedClock;
import io.github.tandemstreams.source.LaneId;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a lane is claimed again that was taken away: by a command, or by a rival. Nothing is ever committed on it. */
class CommandedLanesTest {

    private final StreamFixture fixture = new StreamFixture(1);
    private final SimulatedClock clock = new SimulatedClock();
    private final StreamDefinition<?> stream = fixture.stream(
                    fixture.probe(), definition -> definition.failurePolicy(FailurePolicy.DEFAULT))
            .definition();
    private final Lane lane = new Lane(
            new LaneId(stream.name(), fixture.topic + "-0"),
            100,
            () -> 1000,
            LagReporter.Pace.DEFAULT.knownFor(),
            () -> {});
    private final Worker worker = new Worker(
            stream,
            new LaneClaimer(stream, clock),
            new ProgressReporter(List.of(), "test", clock),
            new ReentrantReadWriteLock(),
            clock);

    @BeforeEach
    void claim() throws InterruptedException {
        new Registration(stream).run();
        worker.adopt(lane);
        worker.runOnce();
        assertThat(lane.status().claimed()).isTrue();
    }

    @AfterEach
    void close() {
        stream.source().stop();
        fixture.close();
    }

    @Test
    void eachOfManyCommandsInARowIsObeyedAtOnce() throws InterruptedException {
        for (int i = 0; i < 4; i++) {
            command(Action.PAUSE);
            assertObeyed(LaneState.PAUSED);
            command(Action.RESUME);
            assertObeyed(LaneState.ACTIVE);
        }
    }

    @Test
    void rivalsGiveEachOtherMoreTimeEachTime() throws InterruptedException {
        for (int time = 1; time <= 6; time++) {
            Duration wait = taken();
            long longest = 200L << (time - 1);
            assertThat(wait.toMillis()).as("wait " + time).isBetween(longest / 2, longest);
            clock.pass(wait);
            turn();
            assertThat(lane.status().claimed()).isTrue();
        }
    }

    @Test
    void aCommandIsObeyedAtOnceAlsoAfterRivalsFoughtForTheLane() throws InterruptedException {
        for (int time = 1; time <= 6; time++) {
            clock.pass(taken());
            turn();
        }
        command(Action.PAUSE);
        assertObeyed(LaneState.PAUSED);
        assertThat(taken()).isLessThanOrEqualTo(Duration.ofMillis(200));
    }

    private void assertObeyed(LaneState state) {
        assertThat(lane.status().claimed()).isTrue();
        assertThat(lane.status().state()).isEqualTo(state);
    }

    private void command(Action action) throws InterruptedException {
        stream.checkpoint().commands().give(StreamCommand.of(stream.name(), action));
        turn();
    }

    /** A rival claims it: how long it is left to that one. */
    private Duration taken() throws InterruptedException {
        stream.checkpoint().claim(lane.id, UUID.randomUUID());
        turn();
        assertThat(lane.status().claimed()).isFalse();
        return Duration.between(clock.instant(), lane.notBefore);
    }

    /** A turn that looks whose lanes are, as at least every two seconds. */
    private void turn() throws InterruptedException {
        worker.recheck();
        worker.runOnce();
    }
}
