package io.github.tandemstreams.engine;

import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.StreamCommand.Action;
import io.github.tandemstreams.StreamOperations;
import io.github.tandemstreams.StreamStatus;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The streams that are configured on this instance. */
public final class Streams implements StreamOperations {

    private final Map<String, StreamRuntime> runtimes = new LinkedHashMap<>();
    private final Duration stopTimeout;

    /**
     * @param runtimes the streams
     * @param stopTimeout how long {@link #stop(String)} waits for a running batch
     */
    public Streams(Collection<StreamRuntime> runtimes, Duration stopTimeout) {
        runtimes.forEach(runtime -> this.runtimes.put(runtime.name(), runtime));
        this.stopTimeout = stopTimeout;
    }

    @Override
    public Set<String> streams() {
        return Set.copyOf(runtimes.keySet());
    }

    @Override
    public StreamStatus status(String stream) {
        return runtime(stream).status();
    }

    @Override
    public void start(String stream) {
        runtime(stream).start();
    }

    @Override
    public void stop(String stream) {
        runtime(stream).stop(stopTimeout);
    }

    @Override
    public void pause(String stream) {
        command(stream, null, Action.PAUSE);
    }

    @Override
    public void pause(String stream, String lane) {
        command(stream, lane, Action.PAUSE);
    }

    @Override
    public void resume(String stream) {
        command(stream, null, Action.RESUME);
    }

    @Override
    public void resume(String stream, String lane) {
        command(stream, lane, Action.RESUME);
    }

    private void command(String stream, @Nullable String lane, Action action) {
        StreamRuntime runtime = runtime(stream);
        String instance = runtime.commands().instance();
        runtime.submit(StreamCommand.of(stream, action).withLane(lane).by(instance));
    }

    private StreamRuntime runtime(String stream) {
        StreamRuntime runtime = runtimes.get(stream);
        if (runtime == null) {
            throw new IllegalArgumentException(
                    "Stream '" + stream + "' isn't configured here; there are " + runtimes.keySet());
        }
        return runtime;
    }
}
