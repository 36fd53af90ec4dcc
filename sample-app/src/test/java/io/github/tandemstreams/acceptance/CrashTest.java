package io.github.tandemstreams.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.acceptance.faults.CrashPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One process that is killed again and again while it works through the flights, and started again each time. */
class CrashTest {

    private final List<Flight> flights = Flights.input().all();
    private final long seed = Counts.seed();
    private final Random random = new Random(seed);

    @Test
    void isExactAfterSigkillAtRandomMoments() throws InterruptedException {
        System.out.println("Kills at random moments: seed " + seed);
        int kills = Counts.random();
        List<Long> moments = random.longs(kills, 0, flights.size() * 9L / 10)
                .sorted()
                .boxed()
                .toList();
        try (Run run = new Run("random-kills", 4)) {
            run.publish(flights);
            for (int kill = 0; kill < kills; kill++) {
                SampleProcess process = run.start(
                        "--tandem.defaults.max-records-per-batch=50", "--crash.point=NOWHERE", "--crash.pause=10ms");
                if (kill % 4 == 3) {
                    Thread.sleep(random.nextInt(4_000)); // while it starts, or claims, or whatever it comes to by then
                } else {
                    long moment = Math.max(moments.get(kill), run.committed() + 1);
                    run.awaitOf(process, moment + " flights", () -> run.committed() >= moment);
                    Thread.sleep(random.nextInt(50));
                }
                process.kill();
                assertThat(process.exitCode(Run.PATIENCE)).isEqualTo(SampleProcess.KILLED);
                assertThat(run.committed()).as("flights at kill %d", kill).isLessThan(flights.size());
            }
            run.finish();
            run.assertExact();
            report(run, kills + " kills at random moments");
        }
    }

    @Test
    @Tag("B1")
    void isExactAfterACrashAtEachNamedPoint() throws InterruptedException {
        System.out.println("Crashes at named points: seed " + seed);
        List<CrashPoint> lives = new ArrayList<>();
        Stream.of(CrashPoint.AFTER_PLAN, CrashPoint.IN_HANDLER, CrashPoint.BEFORE_COMMIT, CrashPoint.AFTER_COMMIT)
                .forEach(point -> lives.addAll(Collections.nCopies(Counts.each(), point)));
        Collections.shuffle(lives, random);
        try (Run run = new Run("named-points", 4);
                Feed feed = Feed.start(run, flights)) {
            for (CrashPoint point : lives) {
                SampleProcess process = run.start(
                        "--tandem.defaults.max-records-per-batch=100",
                        "--crash.point=" + point,
                        "--crash.pass=" + (1 + random.nextInt(point == CrashPoint.AFTER_PLAN ? 3 : 8)));
                assertThat(process.exitCode(Duration.ofMinutes(1)))
                        .as("exit code of %s%s", process.log(), process.tail())
                        .isEqualTo(SampleProcess.KILLED);
                assertThat(process.output()).contains("Dies " + point);
                if (point == CrashPoint.AFTER_PLAN) {
                    assertThat(run.openPlans()).isNotEmpty();
                }
            }
            assertThat(feed.publishRest())
                    .as("flights published after the last crash")
                    .isPositive();
            run.finish();
            run.assertExact();
            report(run, lives.size() + " crashes at named points");
        }
    }

    private static void report(Run run, String faults) {
        System.out.printf(
                "%s: %d starts, %d batches, %d replayed plans, %d flights%n",
                faults, run.starts(), run.ledger().batches(), run.linesWith("replays batch"), run.committed());
    }
}
