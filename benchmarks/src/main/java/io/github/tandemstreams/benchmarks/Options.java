package io.github.tandemstreams.benchmarks;

import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the command line says, as pairs of an option and its value. */
public final class Options {

    private static final Set<String> KNOWN = Set.of(
            "--only",
            "--flights",
            "--records",
            "--rounds",
            "--workloads",
            "--contenders",
            "--bad",
            "--seconds",
            "--rates",
            "--partitions",
            "--commits",
            "--directory");

    private final Map<String, String> values;
    private final Path directory;

    private Options(Map<String, String> values) {
        this.values = values;
        directory = Path.of(values.getOrDefault(
                "--directory",
                "benchmarks/target/results/"
                        + LocalDateTime.now().format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss"))));
    }

    /** Refuses what it doesn't know. */
    public static Options parse(String... args) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < args.length; i += 2) {
            if (!KNOWN.contains(args[i]) || i + 1 == args.length) {
                throw new IllegalArgumentException(args[i] + ": the options, each with a value, are " + KNOWN);
            }
            values.put(args[i], args[i + 1]);
        }
        return new Options(values);
    }

    String only() {
        return values.getOrDefault("--only", "");
    }

    boolean runs(String benchmark) {
        return !values.containsKey("--only") || only().equals(benchmark);
    }

    /** A file of flights, one JSON object a line. */
    public Optional<Path> flights() {
        return Optional.ofNullable(values.get("--flights")).map(Path::of);
    }

    /** How many records, if it is said. */
    public int records(int otherwise) {
        return number("--records", otherwise);
    }

    /** How many rounds, likewise. */
    public int rounds(int otherwise) {
        return number("--rounds", otherwise);
    }

    /** How many seconds are measured, likewise. */
    public int seconds(int otherwise) {
        return number("--seconds", otherwise);
    }

    /** Whether this many records a second are to be sent, if it is said how many. */
    public boolean wantsRate(int rate) {
        return wants("--rates", Integer.toString(rate));
    }

    /** How many partitions the topic has, likewise. */
    public int partitions(int otherwise) {
        return number("--partitions", otherwise);
    }

    /** How many batches are committed before anything is measured, likewise. */
    public int commits(int otherwise) {
        return number("--commits", otherwise);
    }

    /** How many of the records are bad, likewise. */
    public int bad(int otherwise) {
        return number("--bad", otherwise);
    }

    /** Whether this workload is among those that were asked for, if any were. */
    public boolean wantsWorkload(String name) {
        return wants("--workloads", name);
    }

    /** Whether this contender is, likewise. */
    public boolean wantsContender(String name) {
        return wants("--contenders", name);
    }

    /** Where results and logs go. */
    public Path directory() {
        return directory;
    }

    private int number(String option, int otherwise) {
        String value = values.get(option);
        return value == null ? otherwise : Integer.parseInt(value);
    }

    private boolean wants(String option, String name) {
        String value = values.get(option);
        return value == null || List.of(value.split(",")).contains(name);
    }
}
