package io.github.tandemstreams.benchmarks.watched;

import io.github.tandemstreams.benchmarks.contenders.SpringContender;
import io.github.tandemstreams.benchmarks.contenders.tandem.TandemApplication;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

/** Tandem with its bulk writer, metrics, and a dashboard that somebody has open. */
@SpringBootApplication(scanBasePackageClasses = TandemApplication.class)
public class WatchedTandem {

    private static final int PAGE_SECONDS = 2;
    private static final int SCRAPE_SECONDS = 5;

    private final Onlooker onlooker = new Onlooker();
    private final ScheduledExecutorService onlookers = Executors.newSingleThreadScheduledExecutor();

    /** Runs until all records are committed. */
    public static void main(String[] args) throws InterruptedException {
        SpringContender.run(WatchedTandem.class, "tandem-watched");
    }

    /** The page of the stream asks for the same again and again, and so does Prometheus. */
    @EventListener
    void look(WebServerInitializedEvent started) {
        int port = started.getWebServer().getPort();
        every(PAGE_SECONDS, port, "/tandem/api/stream?stream=orders", "/tandem/api/batches?stream=orders&limit=50");
        every(SCRAPE_SECONDS, port, "/actuator/prometheus");
    }

    private void every(int seconds, int port, String... addresses) {
        var unused = onlookers.scheduleWithFixedDelay(
                () -> onlooker.look(port, addresses), seconds, seconds, TimeUnit.SECONDS);
    }

    @EventListener(ContextClosedEvent.class)
    void leave() throws InterruptedException {
        onlookers.shutdownNow();
        onlookers.awaitTermination(1, TimeUnit.MINUTES);
    }
}
