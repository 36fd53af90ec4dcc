package io.github.tandemstreams.benchmarks.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A benchmark that gives a few figures for each contender: told as they come, and their medians in the end. */
public final class Figures {

    private final String benchmark;
    private final Machine machine;
    private final List<String> names;
    private final List<Row> rows = new ArrayList<>();

    public Figures(String benchmark, Machine machine, List<String> names) {
        this.benchmark = benchmark;
        this.machine = machine;
        this.names = names;
        System.out.println(machine);
    }

    /** The figures of one run, in the order of their names. */
    public void add(String contender, int round, List<Double> figures) {
        add(new Row(contender, round, figures, null));
    }

    /** The records a second of a run, or why it doesn't count. */
    public void add(String contender, int round, Run run) {
        if (run.failure() == null) {
            add(contender, round, List.of(run.perSecond()));
        } else {
            addFailed(contender, round, run.failure());
        }
    }

    /** A run that doesn't count. */
    public void addFailed(String contender, int round, String failure) {
        add(new Row(contender, round, List.of(), failure));
    }

    private void add(Row row) {
        rows.add(row);
        System.out.println("round %d: %s %s"
                .formatted(
                        row.round(),
                        row.contender(),
                        row.failure() == null ? described(row.figures()) : "doesn't count: " + row.failure()));
    }

    private String described(List<Double> figures) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < figures.size(); i++) {
            all.add("%s %,.2f".formatted(names.get(i), figures.get(i)));
        }
        return String.join(", ", all);
    }

    /**
     * Prints the medians, and writes all as JSON.
     *
     * @return whether all runs count
     */
    public boolean finish(Path directory) {
        System.out.printf("%n%-24s %s%n", "contender", cells(names));
        for (String contender : rows.stream().map(Row::contender).distinct().toList()) {
            List<String> medians = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                OptionalDouble median = median(contender, i);
                medians.add(median.isPresent() ? "%,.2f".formatted(median.getAsDouble()) : "-");
            }
            System.out.printf("%-24s %s%n", contender, cells(medians));
        }
        JsonFile.write(
                directory.resolve(benchmark + ".json"), Map.of("machine", machine, "figures", names, "runs", rows));
        System.out.println("in " + directory + ": " + benchmark + ".json and the logs");
        return rows.stream().allMatch(row -> row.failure() == null);
    }

    private OptionalDouble median(String contender, int figure) {
        return Medians.median(rows.stream()
                .filter(row -> row.contender().equals(contender) && row.failure() == null)
                .mapToDouble(row -> row.figures().get(figure))
                .toArray());
    }

    private static String cells(List<String> values) {
        return values.stream().map("%20s"::formatted).collect(Collectors.joining(" "));
    }

    private record Row(
            String contender,
            int round,
            List<Double> figures,
            @Nullable String failure) {}
}
