package io.github.tandemstreams.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.jdbc.core.JdbcTemplate;

/** The handler of both sides: each flight a row, and a running sum for each airport. */
final class FlightWriter {

    private final JdbcTemplate jdbc;

    FlightWriter(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    void write(List<Flight> flights) {
        jdbc.batchUpdate("insert into flight values (?, ?, ?, ?, ?)", flights, flights.size(), (row, flight) -> {
            row.setString(1, flight.date());
            row.setInt(2, flight.delay());
            row.setInt(3, flight.distance());
            row.setString(4, flight.origin());
            row.setString(5, flight.destination());
        });
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
