package io.github.tandemstreams.benchmarks.failover;

import io.github.tandemstreams.benchmarks.servers.OpenLoop;
import java.util.concurrent.CompletableFuture;

/** Sends orders at a constant rate, in the background, until it is closed. */
final class Load implements AutoCloseable {

    private final CompletableFuture<Void> sending;
    private volatile boolean wanted = true;

    Load(OpenLoop orders, int perSecond) {
        sending = CompletableFuture.runAsync(() -> orders.sendWhile(() -> wanted, perSecond));
    }

    @Override
    public void close() {
        wanted = false;
        sending.join();
    }
}
