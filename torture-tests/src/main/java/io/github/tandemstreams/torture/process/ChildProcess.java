package io.github.tandemstreams.torture.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A process with this JVM's class path. Its output goes to a file. */
public final class ChildProcess {

    /** Exit code of a process that ended in order when it was asked to. */
    public static final int TERMINATED = 128 + 15;

    private final Process process;
    private final Path log;

    private ChildProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts a main class. What this JVM's environment says of Spring isn't handed on. */
    public static ChildProcess start(Pids pids, Path log, Class<?> main, int heapMegabytes, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heapMegabytes + "m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dfile.encoding=UTF-8",
                "-D" + OrphanWatch.PARENT + "=" + ProcessHandle.current().pid(),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment()
                .keySet()
                .removeIf(name ->
                        name.startsWith("SPRING_") || name.startsWith("TANDEM_") || name.equals("JAVA_TOOL_OPTIONS"));
        try {
            Process process = builder.start();
            pids.add(process.toHandle(), "KILL");
            return new ChildProcess(process, log);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Without a last word, also where it is frozen; returns when it is gone. */
    public void kill() {
        Signals.send("KILL", pid());
        if (exitCode(Duration.ofSeconds(30)).isEmpty()) {
            throw new IllegalStateException("Process " + pid() + " lives on");
        }
    }

    /** Stops all its threads where they are, until {@link #thaw}. */
    public void freeze() {
        Signals.send("STOP", pid());
    }

    public void thaw() {
        Signals.send("CONT", pid());
    }

    /** Asks it to end in order. */
    public void terminate() {
        Signals.send("TERM", pid());
    }

    /** Its exit code, if it ends in time. */
    public Optional<Integer> exitCode(Duration patience) {
        try {
            return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)
                    ? Optional.of(process.exitValue())
                    : Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    public Path log() {
        return log;
    }

    /** Whether its output says so. */
    public boolean says(String text) {
        try {
            return Files.readString(log).contains(text);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
