package io.github.tandemstreams.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.acceptance.Run.PlanRow;
import io.github.tandemstreams.acceptance.faults.CrashPoint;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A plan that a crash left is run with its own range, whatever limits and partitions are by then. */
class ReplayTest {

    private static final int LIMIT = 150;

    private final List<Flight> flights = Flights.input().all();

    @ParameterizedTest
    @ValueSource(ints = {40, 1_000})
    void runsAPlanWithItsRangeUnderAnotherLimitAndWithMorePartitions(int newLimit) {
        try (Run run = new Run("replay-" + newLimit, 4)) {
            run.publish(flights.subList(0, 5_000));
            SampleProcess crashed = run.start(
                    "--tandem.defaults.max-records-per-batch=" + LIMIT,
                    "--crash.point=" + CrashPoint.AFTER_PLAN,
                    "--crash.pass=2");
            assertThat(crashed.exitCode(Run.PATIENCE))
                    .as("exit code of %s%s", crashed.log(), crashed.tail())
                    .isEqualTo(SampleProcess.KILLED);
            List<PlanRow> left = run.openPlans();
            assertThat(left)
                    .isNotEmpty()
                    .allSatisfy(plan -> assertThat(plan.end() - plan.start()).isBetween(1L, (long) LIMIT));

            run.addPartitions(2);
            run.publish(flights.subList(5_000, flights.size()));
            run.finish("--tandem.defaults.max-records-per-batch=" + newLimit);

            run.assertExact();
            assertThat(run.plans()).containsAll(left);
            assertThat(run.openPlans()).isEmpty();
            assertThat(run.jdbc()
                            .queryForObject(
                                    "select count(distinct lane) from tandem.commit_log where lane in ('flights-4', 'flights-5')",
                                    Integer.class))
                    .as("new partitions with batches")
                    .isEqualTo(2);
            System.out.printf(
                    "Replay under a limit of %d: %d plans left by the crash, %d batches%n",
                    newLimit, left.size(), run.ledger().batches());
        }
    }
}
