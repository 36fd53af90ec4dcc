package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.StreamOperations;
import io.github.tandemstreams.StreamStatus;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** Streams that have whatever status a test gives them. */
class GivenStreams implements StreamOperations {

    final Map<String, StreamStatus> statuses = new LinkedHashMap<>();

    @Override
    public Collection<String> streams() {
        return statuses.keySet();
    }

    @Override
    public StreamStatus status(String stream) {
        return statuses.get(stream);
    }

    @Override
    public void start(String stream) {}

    @Override
    public void stop(String stream) {}

    @Override
    public void pause(String stream) {}

    @Override
    public void pause(String stream, String lane) {}

    @Override
    public void resume(String stream) {}

    @Override
    public void resume(String stream, String lane) {}
}
