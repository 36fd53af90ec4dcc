package io.github.tandemstreams.torture.servers;

import io.github.tandemstreams.torture.app.TortureApplication;
import io.github.tandemstreams.torture.process.Await;
import io.github.tandemstreams.torture.process.ChildProcess;
import io.github.tandemstreams.torture.process.Pids;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One of the applications: a process at a time, which is started again after each end.
 *
 * <p>Threading: safe for use by several threads; one waits while another deals with the process.
 */
public final class Application {

    private static final Duration STOP_PATIENCE = Duration.ofSeconds(60);

    /** How long the right moment for a freeze is looked for, and how far apart the looks are. */
    private static final Duration FREEZE_PATIENCE = Duration.ofSeconds(6);

    private static final Duration MOMENT = Duration.ofMillis(40);

    private static final String STARTED = "Started TortureApplication";

    private final Pids pids;
    private final Path directory;
    private final String name;
    private final List<String> arguments;
    private final List<Path> logs = new ArrayList<>();
    private @Nullable ChildProcess process;
    private boolean started;

    Application(Pids pids, Path directory, String name, List<String> arguments) {
        this.pids = pids;
        this.directory = directory;
        this.name = name;
        this.arguments = arguments;
    }

    public String name() {
        return name;
    }

    /** Process id, for messages; 0 if there is none. */
    public synchronized long pid() {
        return process == null ? 0 : process.pid();
    }

    /** The output of all its processes. */
    public synchronized List<Path> logs() {
        return List.copyOf(logs);
    }

    /** Starts a new process. */
    public synchronized void start() {
        Path log = directory.resolve("%s-%03d.log".formatted(name, logs.size() + 1));
        process = ChildProcess.start(pids, log, TortureApplication.class, 192, arguments);
        logs.add(log);
        started = false;
    }

    public synchronized boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Whether it has come up and still runs. */
    public synchronized boolean isUp() {
        return isAlive() && hasStarted();
    }

    /** Whether the last process came up, whatever became of it. */
    public synchronized boolean hasStarted() {
        started = started || (process != null && process.says(STARTED));
        return started;
    }

    /** Kills it without a last word. */
    public synchronized void kill() {
        if (process != null) {
            process.kill();
        }
    }

    /**
     * Stops it where it is for this long: at a moment when this holds, if there is one soon.
     *
     * @param there asked while it stands still
     */
    public synchronized void freeze(BooleanSupplier there, Duration duration) {
        if (process == null) {
            return;
        }
        Instant deadline = Instant.now().plus(FREEZE_PATIENCE);
        process.freeze();
        while (!there.getAsBoolean() && Instant.now().isBefore(deadline)) {
            process.thaw();
            Await.pause(MOMENT);
            process.freeze();
        }
        Await.pause(duration);
        process.thaw();
    }

    /** Stops it in order; tells whether it ended as it should, or had to be killed. */
    public synchronized boolean stop() {
        if (process == null) {
            return true;
        }
        process.terminate();
        int exitCode = process.exitCode(STOP_PATIENCE).orElse(-1);
        kill();
        return exitCode == ChildProcess.TERMINATED;
    }
}
