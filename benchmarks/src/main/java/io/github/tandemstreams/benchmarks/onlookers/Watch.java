package io.github.tandemstreams.benchmarks.onlookers;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An onlooker while a contender runs: from when that says that its web server is open until it says that it closes. In between
 * all must be answered, or else the contender wasn't watched.
 *
 * <p>Threading: a thread of its own asks. What it saw is read when it has ended.
 */
public final class Watch implements AutoCloseable {

    private static final int OK = 200;
    private static final Duration IS_OPEN_EVERY = Duration.ofMillis(100);

    /** As long as Prometheus waits. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** One for all runs, so that only the first one meets a client that isn't compiled. */
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final Onlooker onlooker;
    private final String stream;
    private final Path log;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "onlooker");
    private long looks;
    private @Nullable String trouble;

    private Watch(Onlooker onlooker, String stream, Path log) {
        this.onlooker = onlooker;
        this.stream = stream;
        this.log = log;
    }

    /**
     * Begins to look.
     *
     * @param stream name of the contender's stream
     * @param log what the contender says, which is there already
     */
    public static Watch begin(Onlooker onlooker, String stream, Path log) {
        Watch watch = new Watch(onlooker, stream, log);
        watch.thread.setDaemon(true);
        watch.thread.start();
        return watch;
    }

    /** When the contender has ended in order: fails if it wasn't watched while it was at work. */
    public void check() throws InterruptedException {
        close();
        thread.join();
        if (trouble != null) {
            throw new IllegalStateException("it wasn't watched: " + trouble);
        }
        if (looks == 0) {
            throw new IllegalStateException(
                    "it wasn't watched: it ended before all of " + onlooker.paths() + " were answered once");
        }
    }

    @Override
    public void close() {
        over.countDown();
    }

    private void run() {
        try {
            OptionalInt port = awaitPort();
            if (port.isPresent()) {
                lookAt("http://127.0.0.1:" + port.getAsInt());
            }
        } catch (IOException | InterruptedException | RuntimeException unexpected) {
            trouble = unexpected.toString();
        }
    }

    /** Empty if all is over before the contender says it. */
    private OptionalInt awaitPort() throws IOException, InterruptedException {
        OptionalInt port = WebServer.in(log).port();
        while (port.isEmpty() && !isOverIn(IS_OPEN_EVERY)) {
            port = WebServer.in(log).port();
        }
        return port;
    }

    private void lookAt(String site) throws IOException, InterruptedException {
        for (Duration pause = onlooker.after(); !isOverIn(pause); pause = onlooker.every()) {
            for (String path : onlooker.paths()) {
                Optional<String> unanswered = ask(URI.create(site + path.replace(Onlooker.STREAM, stream)));
                if (unanswered.isPresent()) {
                    // Read after it happened: a contender that ends in order has said so by then.
                    trouble = WebServer.in(log).closes() ? null : unanswered.get();
                    return;
                }
            }
            looks++;
        }
    }

    /** What is wrong with the answer, if anything is. */
    private static Optional<String> ask(URI asked) throws InterruptedException {
        try {
            int status = CLIENT.send(
                            HttpRequest.newBuilder(asked).timeout(PATIENCE).build(), BodyHandlers.ofString())
                    .statusCode();
            return status == OK ? Optional.empty() : Optional.of(asked + " answers " + status);
        } catch (IOException failure) {
            return Optional.of(asked + " doesn't answer: " + failure);
        }
    }

    private boolean isOverIn(Duration time) throws InterruptedException {
        return over.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }
}
