package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.checkpoint.SettledSettingException;
import io.github.tandemstreams.source.TopicNotFoundException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;

/**
 * Starts the streams when the application is ready to work, and stops them before anything that handlers use: in the phase
 * of spring-kafka's listener containers, after the web server, and before it when stopping. DataSources are closed later
 * still, when beans are destroyed.
 *
 * <p>Threading: called by the context, one call at a time.
 */
final class TandemLifecycle implements SmartLifecycle {

    static final int PHASE = AbstractMessageListenerContainer.DEFAULT_PHASE;

    private final TandemStreams streams;
    private final CheckpointSchemas schemas;
    private final Duration stopTimeout;
    private volatile @Nullable CountDownLatch running;

    TandemLifecycle(TandemStreams streams, CheckpointSchemas schemas, Duration stopTimeout) {
        this.streams = streams;
        this.schemas = schemas;
        this.stopTimeout = stopTimeout;
    }

    /**
     * What of the shutdown phase's time-out is left for a batch that runs. The rest is for rolling it back when that time
     * is over, and for leaving the consumer group.
     */
    static Duration stopTimeout(Duration phaseTimeout) {
        Duration margin = Duration.ofSeconds(8);
        Duration half = phaseTimeout.dividedBy(2);
        return phaseTimeout.minus(margin.compareTo(half) < 0 ? margin : half);
    }

    @Override
    public void start() {
        if (running != null) {
            return;
        }
        schemas.prepare(streams.all().stream().map(TandemStream::database).toList());
        List<TandemStream> starting =
                streams.all().stream().filter(TandemStream::autoStartup).toList();
        try {
            inParallel(starting, TandemLifecycle::start);
        } catch (RuntimeException failure) {
            stopAll();
            throw failure;
        }
        running = new CountDownLatch(1);
        if (!starting.isEmpty()) {
            keepAlive(running);
        }
    }

    private static void start(TandemStream stream) {
        try {
            stream.runtime().start();
        } catch (TopicNotFoundException missing) {
            throw StreamMistakes.topicMissing(stream.name(), missing);
        } catch (SettledSettingException changed) {
            throw StreamMistakes.settled(stream.name(), changed);
        }
    }

    /** Streams run on daemon threads; an application that has nothing else goes on as long as they do. */
    private static void keepAlive(CountDownLatch latch) {
        Thread thread = new Thread(
                () -> {
                    try {
                        latch.await();
                    } catch (InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    }
                },
                "tandem-keep-alive");
        thread.setDaemon(false);
        thread.start();
    }

    @Override
    public void stop() {
        CountDownLatch latch = running;
        if (latch != null) {
            stopAll();
            running = null;
            latch.countDown();
        }
    }

    /** Doesn't hold up the other beans of the phase. */
    @Override
    public void stop(Runnable callback) {
        Thread thread = new Thread(
                () -> {
                    try {
                        stop();
                    } finally {
                        callback.run();
                    }
                },
                "tandem-stop");
        thread.start();
    }

    private void stopAll() {
        inParallel(streams.all(), stream -> stream.runtime().stop(stopTimeout));
    }

    /** A broker that is down makes each start wait; a batch that runs makes each stop wait. */
    private static void inParallel(List<TandemStream> streams, Consumer<TandemStream> action) {
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (TandemStream stream : streams) {
            running.add(CompletableFuture.runAsync(
                    () -> action.accept(stream), task -> new Thread(task, "tandem-" + stream.name()).start()));
        }
        try {
            CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)).join();
        } catch (CompletionException wrapper) {
            throw wrapper.getCause() instanceof RuntimeException failure ? failure : wrapper;
        }
    }

    @Override
    public boolean isRunning() {
        return running != null;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
