package io.github.tandemstreams.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A record that takes each process down that is about to write it: it is found by those deaths, and parked. */
class KillerRecordTest {

    private static final Flight KILLER = new Flight("2001/01/01 00:00", 0, 1, "ORD", "KIL");

    @Test
    void isParkedAfterEnoughProcessesDiedOfIt() throws InterruptedException {
        List<Flight> flights = new ArrayList<>(Flights.input().all().subList(0, 30));
        flights.add(14, KILLER);
        try (Run run = new Run("killer-record", 1)) {
            run.publish(flights);
            int deaths = 0;
            SampleProcess process = start(run);
            while (process.exitCode(Duration.ofMinutes(1)) == SampleProcess.KILLED) {
                deaths++;
                assertThat(deaths).as("deaths, see %s", process.log()).isLessThan(12);
                process = start(run);
            }
            assertThat(process.exitCode(Run.PATIENCE))
                    .as("exit code, %s%s", process.log(), process.tail())
                    .isZero();
            System.out.println("Killer record: " + deaths + " deaths");

            flights.remove(14);
            assertThat(run.ledger().sumsExact(flights)).isEmpty();
            assertThat(run.committed()).isEqualTo(30);
            assertThat(run.jdbc().queryForList("select record_offset from tandem.dead_letter", Long.class))
                    .containsExactly(14L);
            // The run, an attempt, and one death for each halving of four records.
            assertThat(deaths).isBetween(4, 6);
        }
    }

    private static SampleProcess start(Run run) {
        return run.start(
                "--tandem.defaults.max-records-per-batch=4",
                "--tandem.defaults.max-attempts=1",
                "--crash.point=NOWHERE",
                "--crash.killer=" + KILLER.destination(),
                "--sample.exit-when-caught-up=true");
    }
}
