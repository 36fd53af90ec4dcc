package io.github.tandemstreams.torture;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * What the command line says.
 *
 * @param span how long faults are injected
 * @param seed of everything that is left to chance
 * @param rate faults of each kind in a minute
 * @param tail records after the last fault
 * @param poison whether there are records that handlers can't bear
 * @param plant the planted fault, or {@code none}
 * @param group how the applications spread the lanes: {@code classic}, {@code cooperative}, {@code consumer}; {@code seed}
 *     lets the seed choose
 * @param directory where logs and data go
 */
record Options(
        Duration span, long seed, double rate, int tail, boolean poison, String plant, String group, Path directory) {

    static final String NO_PLANT = "none";
    static final String NO_COMPARE = "no-compare";

    private static final List<String> GROUPS = List.of("classic", "cooperative", "consumer");

    static final String USAGE = """
            ./torture [--minutes N] [--seed S] [--rate R] [--tail N] [--no-poison]
                      [--group classic|cooperative|consumer] [--plant no-compare]

              --minutes  how long faults are injected (3); starting, the tail and the check come on top
              --seed     of the schedule and of the input (drawn, and printed)
              --rate     faults of each kind in a minute (2.5)
              --tail     records after the last fault (10000)
              --no-poison  without records that their handler can't bear
              --group    the group protocol and its assignor (drawn by the seed)
              --plant    no-compare: the applications run without the compare in their statements; must be found
            """;

    Options {
        if (!List.of(NO_PLANT, NO_COMPARE).contains(plant)) {
            throw new IllegalArgumentException("There is no plant '" + plant + "'");
        }
        if (!GROUPS.contains(group)) {
            throw new IllegalArgumentException("There is no group '" + group + "'");
        }
    }

    static Options of(String... arguments) {
        double minutes = 3;
        long seed = System.nanoTime();
        double rate = 2.5;
        int tail = 10_000;
        boolean poison = true;
        String plant = NO_PLANT;
        String group = "";
        Path directory = Path.of("target", "torture");
        for (Iterator<String> rest = Arrays.asList(arguments).iterator(); rest.hasNext(); ) {
            String option = rest.next();
            switch (option) {
                case "--minutes" -> minutes = Double.parseDouble(rest.next());
                case "--seed" -> seed = Long.parseLong(rest.next());
                case "--rate" -> rate = Double.parseDouble(rest.next());
                case "--tail" -> tail = Integer.parseInt(rest.next());
                case "--no-poison" -> poison = false;
                case "--plant" -> plant = rest.next();
                case "--group" -> group = rest.next();
                case "--directory" -> directory = Path.of(rest.next());
                default -> throw new IllegalArgumentException("There is no option '" + option + "'");
            }
        }
        return new Options(
                Duration.ofMillis((long) (minutes * 60_000)),
                seed,
                rate,
                tail,
                poison,
                plant,
                group.isEmpty() ? GROUPS.get((int) Math.floorMod(seed, (long) GROUPS.size())) : group,
                directory);
    }

    /** The command that repeats the run. */
    String command() {
        return "./torture --minutes %s --seed %d --rate %s --tail %d --group %s%s%s"
                .formatted(
                        span.toMillis() / 60_000.0,
                        seed,
                        rate,
                        tail,
                        group,
                        poison ? "" : " --no-poison",
                        plant.equals(NO_PLANT) ? "" : " --plant " + plant);
    }

    /** What the applications get on their command line. */
    List<String> applicationArguments() {
        List<String> arguments = new ArrayList<>();
        arguments.add("--tandem.defaults.max-attempts=3");
        arguments.add("--spring.kafka.consumer.properties.group.protocol="
                + (group.equals("consumer") ? "consumer" : "classic"));
        if (group.equals("cooperative")) {
            arguments.add("--spring.kafka.consumer.properties.partition.assignment.strategy="
                    + "org.apache.kafka.clients.consumer.CooperativeStickyAssignor");
        }
        if (plant.equals(NO_COMPARE)) {
            arguments.add("--torture.plant=no-compare");
        }
        return arguments;
    }
}
