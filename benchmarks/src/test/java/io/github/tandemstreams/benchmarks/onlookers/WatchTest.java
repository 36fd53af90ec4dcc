package io.github.tandemstreams.benchmarks.onlookers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchTest {

    private static final Duration SOON = Duration.ofMillis(5);
    private static final int SILENT = 0;

    @TempDir
    private Path directory;

    private final BlockingQueue<URI> asked = new LinkedBlockingQueue<>();
    private final CountDownLatch silent = new CountDownLatch(1);
    private volatile int status = 200;
    private HttpServer server;
    private Path log;

    @BeforeEach
    void start() throws IOException {
        log = Files.createFile(directory.resolve("log"));
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            if (status == SILENT) {
                silent.countDown();
            } else {
                exchange.sendResponseHeaders(status, -1);
            }
            exchange.close();
            asked.add(exchange.getRequestURI());
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void asksAgainAndAgainWhileTheContenderIsAtWork() throws Exception {
        Watch watch = watch("/stream?stream={stream}", "/batches");
        say("configuration: a = b", open());

        for (int look = 0; look < 3; look++) {
            assertThat(nextAsked()).isEqualTo("/stream?stream=orders");
            assertThat(nextAsked()).isEqualTo("/batches");
        }
        say(closes());
        assertThatNoException().isThrownBy(watch::check);
    }

    @Test
    void whatIsNotAnsweredAfterTheContenderSaysThatItEndsNeedNotBe() throws Exception {
        Watch watch = watch("/");
        say(open());
        nextAsked();
        nextAsked();
        say(closes());
        becomeSilent();

        assertThatNoException().isThrownBy(watch::check);
    }

    @Test
    void failsWhereAnotherStatusIsAnswered() throws Exception {
        status = 404;
        Watch watch = watch("/nowhere");
        say(open());
        nextAsked();

        assertThatIllegalStateException().isThrownBy(watch::check).withMessageContaining("/nowhere answers 404");
    }

    @Test
    void failsWhereTheContenderStopsAnsweringWhileItIsAtWork() throws Exception {
        Watch watch = watch("/");
        say(open());
        nextAsked();
        nextAsked();
        becomeSilent();

        assertThatIllegalStateException().isThrownBy(watch::check).withMessageContaining("/ doesn't answer");
    }

    @Test
    void failsWhereNothingWasAsked() throws Exception {
        Watch watch = watch("/never");

        assertThatIllegalStateException().isThrownBy(watch::check).withMessageContaining("[/never]");
    }

    private Watch watch(String... paths) {
        return Watch.begin(new Onlooker(SOON, SOON, List.of(paths)), "orders", log);
    }

    private String nextAsked() throws InterruptedException {
        return String.valueOf(asked.poll(10, TimeUnit.SECONDS));
    }

    /** Until it was asked, and didn't answer. */
    private void becomeSilent() throws InterruptedException {
        status = SILENT;
        assertThat(silent.await(10, TimeUnit.SECONDS)).isTrue();
    }

    private String open() {
        return "web server: open at port " + server.getAddress().getPort();
    }

    private static String closes() {
        return "web server: closes";
    }

    private void say(String... lines) throws IOException {
        Files.write(log, List.of(lines), StandardOpenOption.APPEND);
    }
}
