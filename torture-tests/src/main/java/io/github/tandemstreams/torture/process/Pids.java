package io.github.tandemstreams.torture.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The processes that were started and still live. They are ended when this JVM ends; a file tells them to whoever has to
 * clean up after a JVM that was killed itself.
 *
 * <p>Threading: safe for use by several threads.
 */
public final class Pids {

    private final Path file;
    private final Map<ProcessHandle, String> alive = new ConcurrentHashMap<>();

    public Pids(Path file) {
        this.file = file;
        Runtime.getRuntime().addShutdownHook(new Thread(this::killAll, "kill-all"));
    }

    /** From now on it is one of them. The signal is the one that ends it at once, without leaving something behind. */
    public synchronized void add(ProcessHandle process, String signal) {
        alive.put(process, signal);
        process.onExit().thenAccept(alive::remove);
        try {
            Files.writeString(file, process.pid() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Ends all that still live, frozen ones too. */
    public void killAll() {
        alive.forEach((process, signal) -> Signals.send(signal, process.pid()));
        for (ProcessHandle process : alive.keySet()) {
            process.onExit()
                    .completeOnTimeout(process, 10, TimeUnit.SECONDS)
                    .thenAccept(ProcessHandle::destroyForcibly)
                    .join();
        }
    }
}
