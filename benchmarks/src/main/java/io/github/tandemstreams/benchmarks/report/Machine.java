package io.github.tandemstreams.benchmarks.report;

import io.github.tandemstreams.benchmarks.contenders.ContenderProcess;
import io.github.tandemstreams.benchmarks.servers.Postgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.AppInfoParser;

/** Where it was measured, and what all contenders have in common. */
public record Machine(
        int cores,
        String cpu,
        String os,
        String java,
        String kafka,
        String postgres,
        Map<String, String> postgresSettings,
        List<String> contenderJvm) {

    /** This one. */
    public static Machine here(Postgres postgres) {
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                cpuModel(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
                AppInfoParser.getVersion(),
                postgres.version(),
                postgres.settings(),
                ContenderProcess.OPTIONS);
    }

    private static String cpuModel() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse("unknown");
        } catch (IOException notLinux) {
            return "unknown";
        }
    }

    @Override
    public String toString() {
        return "%d cores (%s), %s, %s, Kafka %s, Postgres %s with %s; each contender with %s"
                .formatted(cores, cpu, os, java, kafka, postgres, postgresSettings, String.join(" ", contenderJvm));
    }
}
