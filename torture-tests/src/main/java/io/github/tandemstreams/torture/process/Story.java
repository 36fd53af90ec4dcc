package io.github.tandemstreams.torture.process;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/**
 * What happens, as lines on standard output and in a file.
 *
 * <p>Threading: safe for use by several threads.
 */
public final class Story {

    private final PrintStream file;
    private final Instant start = Instant.now();
    private final List<String> complaints = new ArrayList<>();

    public Story(Path file) {
        try {
            this.file = new PrintStream(file.toFile());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** A line with its time, formatted as {@link String#format} does. */
    public void tell(String format, Object... arguments) {
        line("%tT %7.1f s  %s"
                .formatted(
                        Instant.now().atZone(ZoneId.systemDefault()),
                        Duration.between(start, Instant.now()).toMillis() / 1000.0,
                        format.formatted(arguments)));
    }

    /** Something that must not happen. */
    public synchronized void complain(String format, Object... arguments) {
        complaints.add(format.formatted(arguments));
        tell(format, arguments);
    }

    /** All complaints so far. */
    public synchronized List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** A line as it is. */
    public synchronized void line(String line) {
        System.out.println(line);
        file.println(line);
        file.flush();
    }
}
