package io.github.tandemstreams.torture;

import io.github.tandemstreams.torture.process.Pids;
import io.github.tandemstreams.torture.process.Story;
import java.nio.file.Files;

/** The command: tortures, checks, and ends with 0 if all is well, 1 if something was found or went wrong. */
public final class Torture {

    private Torture() {}

    /** See {@link Options#USAGE}. */
    public static void main(String[] arguments) throws Exception {
        Options options;
        try {
            options = Options.of(arguments);
        } catch (RuntimeException mistake) {
            System.err.println(mistake.getMessage() + "\n\n" + Options.USAGE);
            System.exit(2);
            return;
        }
        Files.createDirectories(options.directory());
        Pids pids = new Pids(options.directory().resolve("pids"));
        Story story = new Story(options.directory().resolve("story.log"));
        Report report = new Report(options, story);
        try {
            new Run(options, pids, story, report).run();
        } catch (Exception failure) {
            report.broken(failure);
        } finally {
            pids.killAll();
        }
        System.exit(report.conclude() ? 0 : 1);
    }
}
