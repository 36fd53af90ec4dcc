package io.github.tandemstreams.benchmarks.onlookers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/**
 * What a contender says of its web server on its standard output. Whoever reads the log while the contender runs knows from it
 * when answers can be expected.
 *
 * @param port of it, once it can be asked
 * @param closes whether the contender has done all, and ends
 */
public record WebServer(OptionalInt port, boolean closes) {

    private static final String OPEN = "web server: open at port ";
    private static final String CLOSES = "web server: closes";

    /** Says that it can be asked. */
    public static void open(int port) {
        System.out.println(OPEN + port);
    }

    /** Says that it can't be asked any more, before that is so: what isn't answered after this line needn't be. */
    public static void close() {
        System.out.println(CLOSES);
    }

    static WebServer in(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log);
        OptionalInt port = lines.stream()
                .filter(line -> line.startsWith(OPEN))
                .mapToInt(line -> Integer.parseInt(line.substring(OPEN.length())))
                .findFirst();
        return new WebServer(port, lines.contains(CLOSES));
    }
}
