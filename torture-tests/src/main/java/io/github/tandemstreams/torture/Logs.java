package io.github.tandemstreams.torture;

import io.github.tandemstreams.torture.servers.Application;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What the applications said, counted. */
final class Logs {

    /** What is counted, and how a line with it can be told. */
    private static final Map<String, String> MARKS = new LinkedHashMap<>();

    static {
        MARKS.put("rebalances", "dding newly assigned partitions");
        MARKS.put("fenced", "fenced: somebody else took over");
        MARKS.put("replays", "replays batch");
        MARKS.put("doubts", "got no answer");
        MARKS.put("retries", "that passes by itself");
        MARKS.put("attempts_failed", "failed and was rolled back");
        MARKS.put("lanes_failed", ": FAILED: ");
        MARKS.put("unknown_errors", "met an error that it doesn't know");
        MARKS.put("planted", "Planted: ");
    }

    private final Map<String, Integer> counts = new LinkedHashMap<>();

    private Logs() {
        MARKS.keySet().forEach(what -> counts.put(what, 0));
    }

    static Logs of(List<Application> applications) {
        Logs logs = new Logs();
        List<Path> all = new ArrayList<>();
        applications.forEach(application -> all.addAll(application.logs()));
        all.forEach(logs::add);
        return logs;
    }

    private void add(Path log) {
        try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
            lines.forEach(line -> MARKS.forEach((what, mark) -> {
                if (line.contains(mark)) {
                    counts.merge(what, 1, Integer::sum);
                }
            }));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** By what is counted, in a fixed order. */
    Map<String, Integer> counts() {
        return counts;
    }
}
