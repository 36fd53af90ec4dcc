package io.github.tandemstreams.devservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where one server keeps its data: below the user's directory, which is kept, or in a temporary one, which isn't. One
 * process at a time may use it; its id is noted in a file, which says nothing once that process is gone.
 */
final class DataDirectory implements AutoCloseable {

    private static final String OWNER = "owner.pid";

    private final Path home;
    private final boolean kept;

    private DataDirectory(Path home, boolean kept) {
        this.home = home;
        this.kept = kept;
    }

    static DataDirectory of(@Nullable Path dataDir, String server) {
        try {
            if (dataDir == null) {
                return new DataDirectory(Files.createTempDirectory("tandem-" + server + "-"), false);
            }
            Path home = Files.createDirectories(dataDir.toAbsolutePath().resolve(server));
            takeOver(home);
            return new DataDirectory(home, true);
        } catch (IOException failure) {
            throw new UncheckedIOException("No data directory for the development services", failure);
        }
    }

    private static void takeOver(Path home) throws IOException {
        Path owner = home.resolve(OWNER);
        long self = ProcessHandle.current().pid();
        if (Files.exists(owner)) {
            long pid = Long.parseLong(Files.readString(owner).trim());
            if (pid != self
                    && ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent()) {
                throw new DevServicesInUseException(home, pid);
            }
        }
        Files.writeString(owner, String.valueOf(self));
    }

    Path resolve(String name) {
        return home.resolve(name);
    }

    boolean isKept() {
        return kept;
    }

    @Override
    public void close() {
        try {
            if (kept) {
                Files.deleteIfExists(home.resolve(OWNER));
            } else {
                delete(home);
            }
        } catch (IOException left) {
            // A temporary directory that can't be removed is no reason to fail a shutdown.
        }
    }

    private static void delete(Path directory) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> tree = Files.walk(directory)) {
            deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.deleteIfExists(path);
        }
    }
}
