package io.github.tandemstreams.benchmarks.report;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** The medians of the runs of one workload that count, by contender. */
public final class Medians {

    private final Map<String, List<Run>> runs = new LinkedHashMap<>();
    private final ToDoubleFunction<Run> rate;

    Medians(List<Run> all, String workload) {
        this(all, workload, Run::perSecond);
    }

    /** @param rate what is meant by records a second */
    Medians(List<Run> all, String workload, ToDoubleFunction<Run> rate) {
        this.rate = rate;
        Set<String> contenders = new LinkedHashSet<>();
        all.forEach(run -> contenders.add(run.contender()));
        for (String contender : contenders) {
            List<Run> its = all.stream()
                    .filter(run ->
                            run.workload().equals(workload) && run.contender().equals(contender) && run.counts())
                    .toList();
            if (!its.isEmpty()) {
                runs.put(contender, its);
            }
        }
    }

    Set<String> contenders() {
        return runs.keySet();
    }

    List<Run> runs(String contender) {
        return runs.getOrDefault(contender, List.of());
    }

    OptionalDouble perSecond(String contender) {
        return median(contender, rate);
    }

    /** Of a figure that the contender itself gave. */
    OptionalDouble figure(String contender, String name) {
        return median(contender, run -> run.said().figures().getOrDefault(name, Double.NaN));
    }

    OptionalDouble median(String contender, ToDoubleFunction<Run> value) {
        return median(runs(contender).stream()
                .mapToDouble(value)
                .filter(Double::isFinite)
                .toArray());
    }

    /** Of any values. */
    public static OptionalDouble median(double... values) {
        if (values.length == 0) {
            return OptionalDouble.empty();
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return OptionalDouble.of(sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2);
    }
}
