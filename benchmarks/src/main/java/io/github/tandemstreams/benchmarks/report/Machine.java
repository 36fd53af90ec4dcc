package io.github.tandemstreams.benchmarks.report;

import io.github.tandemstreams.benchmarks.servers.Postgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.common.utils.AppInfoParser;

/** Where it was measured. */
public record Machine(int cores, String cpu, String os, String java, String postgres, String kafka) {

    /** This one. */
    public static Machine here(Postgres postgres) {
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                cpuModel(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
                postgres.version(),
                AppInfoParser.getVersion());
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
        return "%d cores (%s), %s, %s, Postgres %s, Kafka %s".formatted(cores, cpu, os, java, postgres, kafka);
    }
}
