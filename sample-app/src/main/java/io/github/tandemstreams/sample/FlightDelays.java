package io.github.tandemstreams.sample;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.ForeachBatch;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * The handler. Nothing here cares for duplicates: there is no unique constraint on flights, and sums only grow. Both
 * writes commit together with the batch's offsets, once.
 */
@Component
@ConditionalOnBooleanProperty(name = "sample.consume", matchIfMissing = true)
class FlightDelays {

    private static final String INSERT_FLIGHT =
            "INSERT INTO flight (date, delay, distance, origin, destination) VALUES (?, ?, ?, ?, ?)";

    private static final String ADD_TO_AIRPORT = """
            INSERT INTO airport_delay AS a (origin, flights, total_delay, total_distance) VALUES (?, ?, ?, ?)
                ON CONFLICT (origin) DO UPDATE
               SET flights = a.flights + excluded.flights,
                   total_delay = a.total_delay + excluded.total_delay,
                   total_distance = a.total_distance + excluded.total_distance
            """;

    private final JdbcTemplate jdbc;
    private final Trouble trouble;

    FlightDelays(JdbcTemplate jdbc, Trouble trouble) {
        this.jdbc = jdbc;
        this.trouble = trouble;
    }

    @ForeachBatch("flights")
    void record(Batch<Flight> flights) {
        trouble.slowDown();
        jdbc.batchUpdate(INSERT_FLIGHT, flights.values(), flights.size(), (row, flight) -> {
            row.setString(1, flight.date());
            row.setInt(2, flight.delay());
            row.setInt(3, flight.distance());
            row.setString(4, flight.origin());
            row.setString(5, flight.destination());
        });
        // Sorted, so that two lanes lock the airports in the same order.
        Map<String, Delays> byOrigin = new TreeMap<>();
        flights.forEach(flight -> byOrigin.merge(flight.origin(), Delays.of(flight), Delays::plus));
        jdbc.batchUpdate(ADD_TO_AIRPORT, byOrigin.entrySet(), byOrigin.size(), (row, airport) -> {
            row.setString(1, airport.getKey());
            row.setLong(2, airport.getValue().flights());
            row.setLong(3, airport.getValue().delay());
            row.setLong(4, airport.getValue().distance());
        });
    }

    private record Delays(long flights, long delay, long distance) {

        static Delays of(Flight flight) {
            return new Delays(1, flight.delay(), flight.distance());
        }

        Delays plus(Delays other) {
            return new Delays(flights + other.flights, delay + other.delay, distance + other.distance);
        }
    }
}
