package io.github.tandemstreams.dashboard;

import io.github.tandemstreams.StreamReport;
import io.github.tandemstreams.StreamReports;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers the last quarter of an hour of each stream, over all instances: every 2 s while somebody looks at the page, every
 * 15 s otherwise, so that there is something to see when somebody comes. A look costs one statement, and two for each stream.
 *
 * <p>Threading: samples are taken by a thread of its own; all methods may be called by any thread.
 */
final class Sampler implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Sampler.class);

    static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final Duration UNWATCHED_INTERVAL = Duration.ofSeconds(15);
    private static final Duration WATCHED_FOR = Duration.ofMinutes(1);
    private static final Duration KEPT = Duration.ofMinutes(15);
    private static final int BATCHES = 200;

    private final StreamReports reports;
    private final Clock clock;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread sampler = new Thread(task, "tandem-dashboard");
        sampler.setDaemon(true);
        return sampler;
    });

    private final Map<String, StreamSampler> samplers = new HashMap<>();
    private Instant lastSample = Instant.MIN;
    private volatile Instant lastLook = Instant.MIN;

    /** By stream, the oldest first. Guarded by itself. */
    private final Map<String, Deque<Sample>> samples = new HashMap<>();

    Sampler(StreamReports reports, Clock clock) {
        this.reports = reports;
        this.clock = clock;
    }

    void start() {
        thread.scheduleWithFixedDelay(this::run, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Ends the thread; a look that it takes just now is interrupted. */
    @Override
    public void close() {
        thread.shutdownNow();
    }

    /**
     * The samples of a stream, the oldest first. Who asks, looks.
     *
     * @param since milliseconds since 1970; only later ones
     */
    List<Sample> since(String stream, long since) {
        lastLook = clock.instant();
        synchronized (samples) {
            List<Sample> later = new ArrayList<>(samples.getOrDefault(stream, new ArrayDeque<>()));
            later.removeIf(sample -> sample.at() <= since);
            return later;
        }
    }

    private void run() {
        Instant now = clock.instant();
        boolean watched = lastLook.isAfter(now.minus(WATCHED_FOR));
        if (watched || lastSample.isBefore(now.minus(UNWATCHED_INTERVAL))) {
            lastSample = now;
            try {
                runOnce(now);
            } catch (RuntimeException passing) {
                // The page shows that the database is away; here it is a gap in the plots.
                LOG.debug("No sample could be taken", passing);
            } catch (Throwable unexpected) {
                // The timer would never run it again.
                LOG.error("No sample could be taken, for an error that isn't known; next try soon", unexpected);
            }
        }
    }

    private void runOnce(Instant now) {
        for (StreamReport report : reports.streams()) {
            StreamSampler sampler = samplers.computeIfAbsent(report.stream(), name -> new StreamSampler());
            Sample sample = sampler.sample(
                    now, report, reports.lanes(report.stream()), reports.batches(report.stream(), null, BATCHES));
            synchronized (samples) {
                Deque<Sample> kept = samples.computeIfAbsent(report.stream(), name -> new ArrayDeque<>());
                kept.addLast(sample);
                while (kept.getFirst().at() < now.minus(KEPT).toEpochMilli()) {
                    kept.removeFirst();
                }
            }
        }
    }
}
