package io.github.tandemstreams.benchmarks.contenders;

import io.github.tandemstreams.benchmarks.onlookers.Watch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A contender at work, in a fresh JVM. */
public final class ContenderProcess implements AutoCloseable {

    /** What all have. */
    public static final List<String> OPTIONS = List.of("-Xms1g", "-Xmx1g");

    private final Process process;
    private final Path log;
    private final List<Watch> watches;
    private final Thread hook;

    private ContenderProcess(Process process, Path log, List<Watch> watches) {
        this.process = process;
        this.log = log;
        this.watches = watches;
        hook = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Starts it, and whoever is to look at it; whatever it says goes to the log. */
    public static ContenderProcess start(Contender contender, Task task, Path log) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(OPTIONS);
        command.addAll(contender.options());
        command.addAll(task.options());
        command.addAll(List.of("-cp", contender.classpath(), contender.mainClass()));
        command.addAll(contender.arguments());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        List<Watch> watches = contender.onlookers().stream()
                .map(each -> Watch.begin(each, task.stream(), log))
                .toList();
        return new ContenderProcess(process, log, watches);
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** What it has used of the processors until now. */
    public Duration cpu() {
        return process.toHandle().info().totalCpuDuration().orElseThrow();
    }

    /** What its heap holds that is still in use, in bytes. It collects its garbage for this. */
    public long liveHeap() throws IOException, InterruptedException {
        return LiveHeap.bytes(process.pid());
    }

    /** Asks it to end, as a deployment does: SIGTERM. */
    public void terminate() {
        process.destroy();
    }

    /** Ends it without asking: SIGKILL. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Waits until it has ended by itself and in order, watched by all who were to look at it. */
    public void awaitEnd(Duration atMost) throws InterruptedException {
        if (!process.waitFor(atMost.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("not done after " + atMost.toSeconds() + " s, see " + log);
        }
        if (process.exitValue() != 0) {
            throw new IllegalStateException("ended with " + process.exitValue() + ", see " + log);
        }
        for (Watch watch : watches) {
            watch.check();
        }
    }

    /** What it has said of itself. */
    public Said said() throws IOException {
        return Said.in(Files.readAllLines(log));
    }

    @Override
    public void close() {
        process.destroyForcibly();
        watches.forEach(Watch::close);
        Runtime.getRuntime().removeShutdownHook(hook);
    }
}
