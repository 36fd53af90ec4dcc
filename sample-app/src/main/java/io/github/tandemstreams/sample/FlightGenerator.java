package io.github.tandemstreams.sample;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.random.RandomGenerator;

/** Makes up flights between real airports. */
final class FlightGenerator {

    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm");
    private static final List<String> AIRPORTS = List.of(
            "ATL", "ORD", "DFW", "DEN", "LAX", "PHX", "IAH", "DTW", "MSP", "SFO", "LAS", "STL", "EWR", "CLT", "PHL",
            "BOS", "SLC", "SEA", "LGA", "MCO", "BWI", "MIA", "SAN", "TPA", "PDX", "OAK", "HNL", "MDW", "AUS", "JFK");

    private final RandomGenerator random = RandomGenerator.getDefault();

    Flight next() {
        String origin = airport();
        String destination = airport();
        while (destination.equals(origin)) {
            destination = airport();
        }
        return new Flight(LocalDateTime.now().format(DATE), delay(), 150 + random.nextInt(2500), origin, destination);
    }

    private String airport() {
        return AIRPORTS.get(random.nextInt(AIRPORTS.size()));
    }

    /** Most flights leave about on time; a few are very late. */
    private int delay() {
        return (int) Math.round(random.nextGaussian() * 8 + Math.max(0, random.nextExponential() - 1) * 25);
    }
}
