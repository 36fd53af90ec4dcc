package io.github.tandemstreams.benchmarks.workloads;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongFunction;

/**
 * A topic's records, the same each time they are asked for in order.
 *
 * @param topic where they belong
 * @param records how many
 * @param lines the JSON of each, by its number
 */
public record Input(String topic, long records, LongFunction<String> lines) {

    /** The id of order 0. */
    public static final long FIRST_ID = 1_000_000;

    private static final int CUSTOMERS = 100_000;
    private static final int PRODUCTS = 200;
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** Orders that were never made. */
    public static Input orders(long records) {
        return orders(records, 0);
    }

    /** The same, each with a note of so many characters, in a topic of their own. */
    public static Input orders(long records, int note) {
        if (note == 0) {
            return new Input("orders", records, id -> order(id, START.plusSeconds(id)));
        }
        String more = ",\"note\":\"" + "n".repeat(note) + "\"}";
        return new Input("orders-" + note, records, id -> {
            String order = order(id, START.plusSeconds(id));
            return order.substring(0, order.length() - 1) + more;
        });
    }

    /** The file's flights, over and over. */
    public static Input flights(Path file, long records) throws IOException {
        List<String> flights = Files.readAllLines(file);
        return new Input("flights", records, i -> flights.get((int) (i % flights.size())));
    }

    /** The JSON of an order; the same number is always the same order but for its time. */
    public static String order(long id, Instant at) {
        SplittableRandom random = new SplittableRandom(id);
        return "{\"id\":" + (FIRST_ID + id)
                + ",\"customer\":" + (100_000 + random.nextInt(CUSTOMERS))
                + ",\"product\":\"product-" + (100 + random.nextInt(PRODUCTS))
                + "\",\"quantity\":" + (1 + random.nextInt(9))
                + ",\"price\":" + (1 + random.nextInt(999)) + "." + (10 + random.nextInt(90))
                + ",\"at\":\"" + at + "\"}";
    }
}
