package io.github.tandemstreams.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The main job: a file of flights through four partitions into Postgres, by one process that ends when all is done. */
class MainJobTest {

    private final Flights flights = Flights.input();

    @Test
    void bringsEachFlightIntoPostgresOnce() {
        try (Run run = new Run("main-job", 4)) {
            run.expect(flights.all());

            run.finish("--sample.publish=file", "--sample.flights-file=" + flights.file());

            run.assertExact();
            if (flights.isReal()) {
                assertKnownTotals(run);
            }
            System.out.printf(
                    "Main job: %d flights in %d batches%n",
                    run.committed(), run.ledger().batches());
        }
    }

    private static void assertKnownTotals(Run run) {
        assertThat(run.jdbc().queryForList("select count(*) from flight", Long.class))
                .containsExactly(20_000L);
        assertThat(run.jdbc().queryForMap("""
                        select count(*) as airports, sum(total_delay)::bigint as delay, sum(total_distance)::bigint as distance
                          from airport_delay"""))
                .isEqualTo(Map.of("airports", 220L, "delay", 154_078L, "distance", 14_476_934L));
        List<List<Long>> ohare = run.jdbc()
                .query(
                        "select flights, total_delay, total_distance from airport_delay where origin = 'ORD'",
                        (row, number) -> List.of(row.getLong(1), row.getLong(2), row.getLong(3)));
        assertThat(ohare).containsExactly(List.of(1_095L, 8_181L, 831_177L));
    }
}
