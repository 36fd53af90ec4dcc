package io.github.tandemstreams.benchmarks.workloads;

import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;

/** Each flight a row. */
public final class FlightWriter {

    private static final String INSERT =
            "insert into flight (date, delay, distance, origin, destination) values (?, ?, ?, ?, ?)";

    private final JdbcTemplate jdbc;

    public FlightWriter(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** Writes them in the transaction of the caller. */
    public void write(List<Flight> flights) {
        jdbc.batchUpdate(INSERT, flights, flights.size(), (row, flight) -> {
            row.setString(1, flight.date());
            row.setInt(2, flight.delay());
            row.setInt(3, flight.distance());
            row.setString(4, flight.origin());
            row.setString(5, flight.destination());
        });
    }
}
