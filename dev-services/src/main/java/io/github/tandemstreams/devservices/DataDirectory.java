package io.github.tandemstreams.devservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where one server keeps its data: below the user's directory, which is kept, or in a temporary one, which isn't. One
 * application at a time may use it. It holds a lock on a file, which the operating system takes back however the process
 * ends; a process id noted there would lie as soon as the number is somebody else's.
 */
final class DataDirectory implements AutoCloseable {

    private static final String LOCK = "lock";
    private static final String OWNER = "owner.pid";

    /** A file's lock is the whole process's, and closing a second channel on it would give it back. */
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    private final Path home;

    /** Null for a temporary directory. */
    private final @Nullable FileChannel lock;

    private DataDirectory(Path home, @Nullable FileChannel lock) {
        this.home = home;
        this.lock = lock;
    }

    static DataDirectory of(@Nullable Path dataDir, String server) {
        try {
            if (dataDir == null) {
                return new DataDirectory(Files.createTempDirectory("tandem-" + server + "-"), null);
            }
            Path home = Files.createDirectories(dataDir.toAbsolutePath().resolve(server))
                    .toRealPath();
            return new DataDirectory(home, takeOver(home));
        } catch (IOException failure) {
            throw new UncheckedIOException("No data directory for the development services", failure);
        }
    }

    private static FileChannel takeOver(Path home) throws IOException {
        if (!HELD_HERE.add(home)) {
            throw new DevServicesInUseException(
                    home, String.valueOf(ProcessHandle.current().pid()));
        }
        FileChannel channel = null;
        boolean taken = false;
        try {
            channel = FileChannel.open(home.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw new DevServicesInUseException(home, owner(home));
            }
            // Only for the message above; a file of its own, since on Windows a locked one can't be read.
            Files.writeString(
                    home.resolve(OWNER), String.valueOf(ProcessHandle.current().pid()));
            taken = true;
            return channel;
        } finally {
            if (!taken) {
                HELD_HERE.remove(home);
                if (channel != null) {
                    channel.close();
                }
            }
        }
    }

    private static String owner(Path home) throws IOException {
        Path owner = home.resolve(OWNER);
        return Files.exists(owner) ? Files.readString(owner).trim() : "unknown";
    }

    Path resolve(String name) {
        return home.resolve(name);
    }

    boolean isKept() {
        return lock != null;
    }

    @Override
    public void close() {
        try {
            if (lock == null) {
                delete(home);
            } else {
                Files.deleteIfExists(home.resolve(OWNER));
                lock.close();
                HELD_HERE.remove(home);
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
