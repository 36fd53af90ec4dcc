package io.github.tandemstreams.benchmarks.contenders;

import io.github.tandemstreams.benchmarks.workloads.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a contender's process is told, in system properties.
 *
 * @param run its name, which no other run has: a consumer group that had another's would find that one's offsets
 * @param workload what to bring where
 * @param topic where the records are
 * @param records how many there are: it ends by itself when all are committed
 * @param live whether they come while it runs, instead of before
 * @param bootstrapServers the broker
 * @param jdbcUrl the database, where the workload's table is
 * @param directory for whatever it must keep in files
 */
public record Task(
        String run,
        Workload workload,
        String topic,
        long records,
        boolean live,
        String bootstrapServers,
        String jdbcUrl,
        String directory) {

    private static final String PREFIX = "benchmark.";

    /** The process's own. */
    public static Task ofThisProcess() {
        return new Task(
                property("run"),
                Workload.labelled(property("workload")),
                property("topic"),
                Long.parseLong(property("records")),
                Boolean.parseBoolean(property("live")),
                property("bootstrap-servers"),
                property("jdbc-url"),
                property("directory"));
    }

    /** Name of the contender's stream: that of the workload's topic. */
    String stream() {
        return workload.topic();
    }

    private static String property(String name) {
        return Objects.requireNonNull(System.getProperty(PREFIX + name), name);
    }

    /** As options of a JVM. */
    List<String> options() {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("run", run);
        properties.put("workload", workload.label());
        properties.put("topic", topic);
        properties.put("value-type", workload.type().getName());
        properties.put("records", records);
        properties.put("live", live);
        properties.put("bootstrap-servers", bootstrapServers);
        properties.put("jdbc-url", jdbcUrl);
        properties.put("directory", directory);
        properties.put("log-level", "WARN");
        List<String> options = new ArrayList<>();
        properties.forEach((name, value) -> options.add("-D" + PREFIX + name + "=" + value));
        return options;
    }
}
