package io.github.tandemstreams.benchmarks.poison;

import io.github.tandemstreams.benchmarks.Benchmark;
import io.github.tandemstreams.benchmarks.Options;
import io.github.tandemstreams.benchmarks.servers.Servers;
import io.github.tandemstreams.benchmarks.workloads.Input;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/** What bad records cost: flights of which some can't be written, beside the same flights where all can. */
public final class Poison implements Benchmark {

    private static final int RECORDS = 100_000;
    private static final int BAD = 37;
    private static final int ROUNDS = 3;

    @Override
    public String name() {
        return "poison";
    }

    /** Prints, for each round, the time without bad records, with those that Postgres refuses, and with a handler that throws. */
    @Override
    public boolean run(Options options) throws Exception {
        if (options.flights().isEmpty()) {
            System.out.println("left out: --flights names no file of them");
            return true;
        }
        int records = options.records(RECORDS);
        int bad = options.bad(BAD);
        try (Servers servers = Servers.start(options.directory())) {
            servers.broker().fill(poisoned(Input.flights(options.flights().get(), records), bad));
            PoisonRun run = new PoisonRun(servers, records, bad);
            run.seconds(false, false);
            for (int round = 1; round <= options.rounds(ROUNDS); round++) {
                double without = run.seconds(false, false);
                double refused = run.seconds(true, false);
                double thrown = run.seconds(false, true);
                System.out.printf(
                        "round %d: %,d records in %.1f s; with %d that Postgres refuses %.1f s (%.2f times), with %d that the"
                                + " handler throws on %.1f s (%.2f times)%n",
                        round, records, without, bad, refused, refused / without, bad, thrown, thrown / without);
            }
        }
        return true;
    }

    private static Input poisoned(Input flights, int bad) {
        Set<Long> chosen = new Random(37)
                .longs(0, flights.records())
                .distinct()
                .limit(bad)
                .boxed()
                .collect(Collectors.toSet());
        return new Input(flights.topic(), flights.records(), i -> {
            String line = flights.lines().apply(i);
            return chosen.contains(i) ? bad(line) : line;
        });
    }

    private static String bad(String line) {
        return line.replaceFirst("\"delay\":\\s*-?\\d+", "\"delay\":" + PoisonRun.BAD_DELAY);
    }
}
