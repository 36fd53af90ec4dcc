package io.github.tandemstreams.sample;

import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** What the page asks for, and its switch for trouble. */
@RestController
@ConditionalOnWebApplication
@ConditionalOnBooleanProperty(name = "sample.consume", matchIfMissing = true)
class WorstAirports {

    private static final String WORST = """
            SELECT origin, flights, round(1.0 * total_delay / flights, 1) AS mean_delay
              FROM airport_delay
             ORDER BY 1.0 * total_delay / flights DESC, origin
             LIMIT 10
            """;

    private final JdbcTemplate jdbc;
    private final Trouble trouble;

    WorstAirports(JdbcTemplate jdbc, Trouble trouble) {
        this.jdbc = jdbc;
        this.trouble = trouble;
    }

    /**
     * An airport.
     *
     * @param origin its code
     * @param flights departures so far
     * @param meanDelay minutes
     */
    record Airport(String origin, long flights, double meanDelay) {}

    @GetMapping("/airports")
    List<Airport> airports() {
        return jdbc.query(WORST, (row, number) -> new Airport(row.getString(1), row.getLong(2), row.getDouble(3)));
    }

    @GetMapping("/trouble")
    Trouble.Settings trouble() {
        return trouble.settings();
    }

    /** JSON only: no form of another site can send that. */
    @PostMapping(path = "/trouble", consumes = MediaType.APPLICATION_JSON_VALUE)
    Trouble.Settings trouble(@RequestBody Trouble.Settings wanted) {
        trouble.change(wanted);
        return trouble.settings();
    }
}
