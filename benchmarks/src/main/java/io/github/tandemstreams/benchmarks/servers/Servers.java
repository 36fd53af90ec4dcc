package io.github.tandemstreams.benchmarks.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

/** The two servers, with their data in a directory that goes with them. */
public final class Servers implements AutoCloseable {

    private final Path directory;
    private final Broker broker;
    private final Postgres postgres;

    private Servers(Path directory, Broker broker, Postgres postgres) {
        this.directory = directory;
        this.broker = broker;
        this.postgres = postgres;
    }

    /** Starts them with nothing in them. What the broker says goes to the given directory. */
    public static Servers start(Path logs) throws IOException, InterruptedException, ExecutionException {
        Path directory = Files.createTempDirectory("servers");
        return new Servers(
                directory, Broker.start(directory, Files.createDirectories(logs)), Postgres.start(directory));
    }

    public Broker broker() {
        return broker;
    }

    public Postgres postgres() {
        return postgres;
    }

    @Override
    public void close() throws IOException {
        postgres.close();
        broker.close();
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).forEach(Servers::delete);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
