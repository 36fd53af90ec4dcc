package io.github.tandemstreams.engine;

import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.StreamOperations;
import io.github.tandemstreams.StreamStatus;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

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
        runtime(stream).command(null, LaneState.PAUSED);
    }

    @Override
    public void pause(String stream, String lane) {
        runtime(stream).command(lane, LaneState.PAUSED);
    }

    @Override
    public void resume(String stream) {
        runtime(stream).command(null, LaneState.ACTIVE);
    }

    @Override
    public void resume(String stream, String lane) {
        runtime(stream).command(lane, LaneState.ACTIVE);
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
