package io.github.tandemstreams.acceptance;

import static org.awaitility.Awaitility.await;

import io.github.tandemstreams.sample.SampleApplication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The sample as a process of its own, with this JVM's class path. Its output goes to a file. Whatever still runs when this
 * JVM ends is killed.
 */
final class SampleProcess {

    /** Exit codes of processes that a signal ended. */
    static final int KILLED = 128 + 9;

    static final int TERMINATED = 128 + 15;

    private static final Set<Process> ALIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ALIVE.forEach(Process::destroyForcibly)));
    }

    private final Process process;
    private final Path log;

    private SampleProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts the sample. What this JVM's environment says of databases, brokers and the sample isn't handed on. */
    static SampleProcess start(Path log, Map<String, String> environment, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dfile.encoding=UTF-8",
                "-Dcrash.parent=" + ProcessHandle.current().pid(),
                "-cp",
                System.getProperty("java.class.path"),
                SampleApplication.class.getName()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.to(log.toFile()));
        builder.environment()
                .keySet()
                .removeIf(name -> name.startsWith("SPRING_")
                        || name.startsWith("TANDEM_")
                        || name.startsWith("SAMPLE_")
                        || name.equals("JAVA_TOOL_OPTIONS"));
        builder.environment().putAll(environment);
        try {
            Files.createDirectories(log.getParent());
            Process process = builder.start();
            ALIVE.add(process);
            process.onExit().thenAccept(ALIVE::remove);
            return new SampleProcess(process, log);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Without a last word, also where it is stopped. */
    void kill() {
        signal("KILL");
    }

    /** Freezes all its threads, until {@link #resume}. */
    void stop() {
        signal("STOP");
        // The signal is sent, but the threads run on until they hear of it.
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() ->
                        output("ps", "-o", "stat=", "-p", Long.toString(pid())).startsWith("T"));
    }

    void resume() {
        signal("CONT");
    }

    /** Asks it to end in order. */
    void terminate() {
        signal("TERM");
    }

    /** Waits for its end. */
    int exitCode(Duration patience) {
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError(
                        "Process " + pid() + " still runs after " + patience + ", see " + log + tail());
            }
            return process.exitValue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    Path log() {
        return log;
    }

    String output() {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The last lines of its output, for messages. */
    String tail() {
        List<String> lines = output().lines().toList();
        return "\n  | " + String.join("\n  | ", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
    }

    private void signal(String name) {
        if (process.isAlive()) {
            output("kill", "-" + name, Long.toString(pid()));
        }
    }

    private static String output(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return output;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
