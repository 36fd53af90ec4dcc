package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.LaneStatus;
import io.github.tandemstreams.StreamOperations;
import io.github.tandemstreams.StreamProgress;
import io.github.tandemstreams.StreamProgressListener;
import io.github.tandemstreams.autoconfigure.LaneMeters.Key;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Meters of the lanes that this instance holds. Nobody tells that a lane comes or goes, so once a second the meters are
 * compared with the lanes. Those of a lane that left are removed: else two instances would report it, one for ever.
 *
 * <p>Threading: workers report batches while the comparing thread adds and removes.
 */
final class StreamMetrics implements StreamProgressListener, SmartInitializingSingleton, DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(StreamMetrics.class);

    private final MeterRegistry registry;
    private final ObjectProvider<StreamOperations> streams;
    private final Map<Key, LaneMeters> meters = new ConcurrentHashMap<>();
    private final Map<String, StreamMeters> streamMeters = new ConcurrentHashMap<>();
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "tandem-metrics");
        thread.setDaemon(true);
        return thread;
    });

    StreamMetrics(MeterRegistry registry, ObjectProvider<StreamOperations> streams) {
        this.registry = registry;
        this.streams = streams;
    }

    @Override
    public void afterSingletonsInstantiated() {
        var unused = scheduler.scheduleWithFixedDelay(this::tryRefresh, 1, 1, TimeUnit.SECONDS);
    }

    private void tryRefresh() {
        try {
            refresh();
        } catch (RuntimeException failure) {
            log.debug("The lag of the streams can't be told now", failure); // and the next try may be better
        }
    }

    /** Compares the meters with the lanes. */
    void refresh() {
        StreamOperations operations = streams.getObject();
        Instant now = Instant.now();
        Set<Key> held = new HashSet<>();
        for (String stream : operations.streams()) {
            List<LaneStatus> lanes = operations.status(stream).lanes();
            of(stream).show(lanes);
            for (LaneStatus lane : lanes) {
                Key key = new Key(stream, lane.lane());
                held.add(key);
                of(key).show(lane, now);
            }
        }
        removeAllBut(held);
    }

    /**
     * Looks also at what is registered: a run that ends after its lane left is observed then, which makes timers, and nobody
     * tells of it.
     */
    private void removeAllBut(Set<Key> held) {
        Set<Key> left = new HashSet<>(meters.keySet());
        for (Meter meter : registry.getMeters()) {
            LaneMeters.laneOf(meter).ifPresent(left::add);
        }
        left.removeAll(held);
        // While they are removed no worker makes new ones, which would go with them and be counted on for ever.
        left.forEach(key -> meters.compute(key, (removed, lane) -> {
            LaneMeters.remove(registry, removed);
            return null;
        }));
    }

    private StreamMeters of(String stream) {
        return streamMeters.computeIfAbsent(stream, absent -> new StreamMeters(registry, absent));
    }

    private LaneMeters of(Key key) {
        return meters.computeIfAbsent(key, absent -> new LaneMeters(registry, absent));
    }

    @Override
    public void onCommitted(StreamProgress progress) {
        of(progress.stream()).committed(progress);
        of(new Key(progress.stream(), progress.lane())).committed(progress);
    }

    @Override
    public void onRetry(String stream, String lane, Throwable cause) {
        of(new Key(stream, lane)).retried();
    }

    @Override
    public void onFenced(String stream, String lane) {
        of(new Key(stream, lane)).fenced();
    }

    @Override
    public void destroy() {
        scheduler.shutdownNow();
    }
}
