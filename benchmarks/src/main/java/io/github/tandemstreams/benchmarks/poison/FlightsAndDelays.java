package io.github.tandemstreams.benchmarks.poison;

import io.github.tandemstreams.benchmarks.workloads.Flight;
import io.github.tandemstreams.benchmarks.workloads.FlightWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.jdbc.core.JdbcTemplate;

/** Each flight a row, and a running sum for each airport. */
final class FlightsAndDelays {

    static final String DDL = "create table airport_delay (origin text primary key, flights bigint, total_delay bigint,"
            + " total_distance bigint)";

    private final JdbcTemplate jdbc;
    private final FlightWriter rows;

    FlightsAndDelays(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
        rows = new FlightWriter(jdbc);
    }

    void write(List<Flight> flights) {
        rows.write(flights);
        Map<String, long[]> sums = new TreeMap<>();
        for (Flight flight : flights) {
            long[] sum = sums.computeIfAbsent(flight.origin(), origin -> new long[3]);
            sum[0]++;
            sum[1] += flight.delay();
            sum[2] += flight.distance();
        }
        jdbc.batchUpdate("""
                insert into airport_delay as a values (?, ?, ?, ?)
                on conflict (origin) do update set flights = a.flights + excluded.flights,
                    total_delay = a.total_delay + excluded.total_delay,
                    total_distance = a.total_distance + excluded.total_distance
                """, sums.entrySet(), sums.size(), (row, entry) -> {
            row.setString(1, entry.getKey());
            for (int i = 0; i < 3; i++) {
                row.setLong(i + 2, entry.getValue()[i]);
            }
        });
    }
}
