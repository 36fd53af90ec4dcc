package io.github.tandemstreams.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** The input of all tests: 20,000 real flights, or as many plausible ones where the file isn't there. */
final class Flights {

    /** Totals of the real file. */
    private static final int REAL_AIRPORTS = 220;

    private static final Totals REAL_TOTALS = new Totals(20_000, 154_078, 14_476_934);
    private static final Totals REAL_ORD = new Totals(1_095, 8_181, 831_177);

    private static final Flights INPUT = load();

    private final List<Flight> all;
    private final Path file;
    private final boolean real;

    private Flights(List<Flight> all, Path file, boolean real) {
        this.all = all;
        this.file = file;
        this.real = real;
    }

    static Flights input() {
        return INPUT;
    }

    List<Flight> all() {
        return all;
    }

    /** The same, one JSON object a line. */
    Path file() {
        return file;
    }

    /** Whether this is the file whose totals are known beforehand. */
    boolean isReal() {
        return real;
    }

    /** What {@code airport_delay} has to say in the end. */
    static Map<String, Totals> totalsByOrigin(List<Flight> flights) {
        Map<String, Totals> totals = new TreeMap<>();
        flights.forEach(flight -> totals.merge(flight.origin(), Totals.of(flight), Totals::plus));
        return totals;
    }

    static Totals totals(List<Flight> flights) {
        return flights.stream().map(Totals::of).reduce(Totals.NONE, Totals::plus);
    }

    /** Flights, and the sums of their delays and distances. */
    record Totals(long flights, long delay, long distance) {

        static final Totals NONE = new Totals(0, 0, 0);

        static Totals of(Flight flight) {
            return new Totals(1, flight.delay(), flight.distance());
        }

        Totals plus(Totals more) {
            return new Totals(flights + more.flights, delay + more.delay, distance + more.distance);
        }
    }

    private static Flights load() {
        Optional<Path> file = Stream.of(
                        System.getProperty("tandem.flights", "../../shared/data/flights-20k.jsonl"),
                        "../shared/data/flights-20k.jsonl")
                .map(Path::of)
                .filter(Files::isReadable)
                .findFirst();
        if (file.isEmpty()) {
            System.out.println("No file of flights (system property tandem.flights): made-up ones are used");
            List<Flight> flights = madeUp();
            return new Flights(flights, write(flights), false);
        }
        List<Flight> flights = read(file.get());
        Map<String, Totals> byOrigin = totalsByOrigin(flights);
        boolean known = totals(flights).equals(REAL_TOTALS)
                && byOrigin.size() == REAL_AIRPORTS
                && REAL_ORD.equals(byOrigin.get("ORD"));
        return new Flights(flights, file.get().toAbsolutePath(), known);
    }

    private static List<Flight> read(Path file) {
        JsonMapper json = new JsonMapper();
        try (Stream<String> lines = Files.lines(file)) {
            return lines.map(line -> json.readValue(line, Flight.class)).toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Path write(List<Flight> flights) {
        try {
            // Another JVM of the build may be writing one, too.
            Path file = Files.createDirectories(Path.of("target", "acceptance"))
                    .resolve("flights-" + ProcessHandle.current().pid() + ".jsonl");
            return Files.write(file, flights.stream().map(Flight::json).toList())
                    .toAbsolutePath();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Few large airports and many small ones, as in life. */
    private static List<Flight> madeUp() {
        Random random = new Random(20_010_101);
        DateTimeFormatter format = DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm");
        LocalDateTime midnight = LocalDateTime.of(2001, 1, 1, 0, 0);
        return IntStream.range(0, 20_000)
                .mapToObj(i -> new Flight(
                        format.format(midnight.plusMinutes(i)),
                        (int) Math.round(random.nextGaussian() * 20 + 8),
                        100 + random.nextInt(2_500),
                        airport(random),
                        airport(random)))
                .toList();
    }

    private static String airport(Random random) {
        int rank = (int) (220 * Math.pow(random.nextDouble(), 2));
        return new String(new char[] {
            (char) ('A' + rank / 26 % 26), (char) ('A' + rank % 26), (char) ('A' + (rank * 7 + 11) % 26)
        });
    }
}
