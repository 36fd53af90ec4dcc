package io.github.tandemstreams.torture;

import io.github.tandemstreams.torture.check.Counts;
import io.github.tandemstreams.torture.faults.Fault;
import io.github.tandemstreams.torture.faults.FaultKind;
import io.github.tandemstreams.torture.faults.Tally;
import io.github.tandemstreams.torture.input.Journal;
import io.github.tandemstreams.torture.process.Story;
import io.github.tandemstreams.torture.servers.Application;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.util.FileSystemUtils;

/** What a run tells people, and machines in one line. */
final class Report {

    private final Options options;
    private final Story story;
    private final List<String> found = new ArrayList<>();
    private final Map<String, Object> summary = new LinkedHashMap<>();
    private boolean ended;

    Report(Options options, Story story) {
        this.options = options;
        this.story = story;
    }

    void begin(List<Fault> schedule) {
        story.line("seed " + options.seed() + ", " + options.command());
        story.line("schedule, from the moment when all is up:");
        schedule.forEach(fault -> story.line("  " + fault));
    }

    /** The run came to its end. */
    void end(
            Tally tally,
            Counts counts,
            Journal journal,
            long tail,
            List<Application> applications,
            List<String> violations) {
        found.addAll(story.complaints());
        found.addAll(violations);
        for (FaultKind kind : FaultKind.values()) {
            summary.put(kind.label(), tally.of(kind));
        }
        summary.putAll(Logs.of(applications).counts());
        summary.put(
                "starts",
                applications.stream()
                        .mapToInt(application -> application.logs().size())
                        .sum());
        summary.put("claims", counts.claims());
        summary.put("batches", counts.batches());
        summary.put("records", counts.seen());
        summary.put("dead_letters", counts.deadLetters());
        summary.put("tail", tail);
        summary.put("kafka_commits", journal.commits());
        summary.put("kafka_aborts", journal.aborts());
        summary.put("unknown_sends", journal.unknown());
        if (options.plant().equals(Options.NO_COMPARE) && Integer.valueOf(0).equals(summary.get("planted"))) {
            found.add("The planted fault took no effect: the statements look different from what is taken out of them");
        }
        ended = true;
    }

    /** The run itself failed. */
    void broken(Exception failure) {
        found.addAll(story.complaints());
        found.add("the run broke off: " + failure);
        failure.printStackTrace();
    }

    boolean isClean() {
        return found.isEmpty();
    }

    /** Prints the outcome; tells whether all is well. */
    boolean conclude() {
        boolean clean = ended && isClean();
        story.line("");
        if (clean) {
            FileSystemUtils.deleteRecursively(
                    options.directory().resolve("postgres").toFile());
            FileSystemUtils.deleteRecursively(
                    options.directory().resolve("broker").toFile());
        } else {
            story.line("FOUND:");
            found.forEach(one -> story.line("  " + one));
            story.line("seed " + options.seed() + "; to repeat: " + options.command());
            story.line("logs, data and tables: " + options.directory().toAbsolutePath());
        }
        story.line("TORTURE " + json(clean));
        return clean;
    }

    private String json(boolean clean) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("result", clean ? "pass" : "fail");
        all.put("violations", found.size());
        all.put("seed", options.seed());
        all.put("minutes", options.span().toMillis() / 60_000.0);
        all.put("group", options.group());
        all.put("poison", options.poison());
        all.put("plant", options.plant());
        all.putAll(summary);
        return all.entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\":"
                        + (entry.getValue() instanceof String text ? "\"" + text + "\"" : entry.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }
}
