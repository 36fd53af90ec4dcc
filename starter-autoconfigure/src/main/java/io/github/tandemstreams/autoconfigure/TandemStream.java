package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.engine.StreamRuntime;

/**
 * A stream that was put together.
 *
 * @param runtime runs it
 * @param database where it writes
 * @param concurrency its workers
 * @param autoStartup whether it starts with the application
 */
record TandemStream(StreamRuntime runtime, StreamDatabase database, int concurrency, boolean autoStartup) {

    String name() {
        return runtime.name();
    }
}
