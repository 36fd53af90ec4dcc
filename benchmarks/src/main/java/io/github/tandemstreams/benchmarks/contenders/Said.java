package io.github.tandemstreams.benchmarks.contenders;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a contender says of itself on its standard output: a line for each setting that matters, and for each figure that only
 * it knows.
 *
 * @param configuration its settings
 * @param figures its figures
 */
public record Said(Map<String, String> configuration, Map<String, Double> figures) {

    private static final String CONFIGURATION = "configuration: ";
    private static final String FIGURE = "figure: ";

    /** Says a setting. */
    public static void configuration(String name, Object value) {
        System.out.println(CONFIGURATION + name + " = " + value);
    }

    /** Says a figure. */
    public static void figure(String name, double value) {
        System.out.println(FIGURE + name + " = " + value);
    }

    static Said in(List<String> lines) {
        Map<String, String> configuration = new LinkedHashMap<>();
        Map<String, Double> figures = new LinkedHashMap<>();
        for (String line : lines) {
            if (line.startsWith(CONFIGURATION)) {
                String[] parts = line.substring(CONFIGURATION.length()).split(" = ", 2);
                configuration.put(parts[0], parts[1]);
            } else if (line.startsWith(FIGURE)) {
                String[] parts = line.substring(FIGURE.length()).split(" = ", 2);
                figures.put(parts[0], Double.valueOf(parts[1]));
            }
        }
        return new Said(configuration, figures);
    }
}
