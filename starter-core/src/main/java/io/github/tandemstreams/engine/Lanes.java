package io.github.tandemstreams.engine;

import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.source.LaneIntake;
import io.github.tandemstreams.source.LaneListener;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that this instance holds. Each new one goes to the worker that has the fewest.
 *
 * <p>Threading: lanes come and go on the source's thread; anybody may look.
 */
final class Lanes implements LaneListener {

    private final String stream;
    private final Limits limits;
    private final List<Worker> workers;
    private final Duration endKnownFor;
    private final Map<String, Lane> held = new ConcurrentHashMap<>();
    private volatile @Nullable Problem trouble;

    /** @param endKnownFor how long the end of a lane's log counts as known after it was told */
    Lanes(String stream, Limits limits, List<Worker> workers, Duration endKnownFor) {
        this.stream = stream;
        this.limits = limits;
        this.workers = workers;
        this.endKnownFor = endKnownFor;
    }

    @Override
    public LaneIntake assigned(String name) {
        revoked(name);
        Worker worker =
                workers.stream().min(Comparator.comparingInt(Worker::load)).orElseThrow();
        Lane lane = new Lane(
                new LaneId(stream, name), 2 * limits.maxRecordsPerBatch(), this::share, endKnownFor, worker::signal);
        held.put(name, lane);
        worker.adopt(lane);
        return lane;
    }

    @Override
    public void revoked(String name) {
        Lane lane = held.remove(name);
        if (lane != null) {
            lane.revoke();
        }
    }

    @Override
    public void troubled(String problem) {
        trouble = Problem.after(trouble, problem, Instant.now());
    }

    @Override
    public void recovered() {
        trouble = null;
    }

    /** What keeps the source from being read; null if nothing does. */
    @Nullable
    Problem trouble() {
        return trouble;
    }

    /** The lanes held now, by name. */
    List<Lane> all() {
        return held.values().stream()
                .sorted(Comparator.comparing(lane -> lane.id))
                .toList();
    }

    private long share() {
        return limits.maxBufferedBytes() / Math.max(1, held.size());
    }
}
