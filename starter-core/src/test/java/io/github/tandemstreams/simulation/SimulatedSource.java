package io.github.tandemstreams.simulation;

import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StartingOffsets;
import io.github.tandemstreams.source.LaneBounds;
import io.github.tandemstreams.source.LaneIntake;
import io.github.tandemstreams.source.LaneListener;
import io.github.tandemstreams.source.LaneStart;
import io.github.tandemstreams.source.RawRecord;
import io.github.tandemstreams.source.Source;
import io.github.tandemstreams.source.SourceUnavailableException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One instance's consumer of the {@link SimulatedLog}. It hears of a new assignment only when it polls, each callback is
 * one step, and records come few at a time.
 *
 * <p>Threading: one thread at a time.
 */
public final class SimulatedSource implements Source {

    /** Records of one poll. */
    private static final int POLLED = 2;

    private final SimulatedLog log;
    private final String instance;
    private final Steps steps;

    private @Nullable LaneListener listener;
    private @Nullable LaneIntake intake;
    private int known = -1;
    private boolean held;
    private Optional<LaneIntake.Progress> reported = Optional.empty();
    private boolean quiet = true;
    private long position;

    public SimulatedSource(SimulatedLog log, String instance, Steps steps) {
        this.log = log;
        this.instance = instance;
        this.steps = steps;
    }

    /** Whether a poll may bring something, or has something to report: a consumer polls also when nobody wakes it. */
    public boolean isDue() {
        LaneIntake lane = intake;
        return !quiet
                || known != log.assignment()
                || (lane != null && !lane.progress().equals(reported));
    }

    /**
     * One step of the consumer's thread.
     *
     * @return what it did; null if there was nothing to do
     */
    public @Nullable String poll() {
        if (known != log.assignment()) {
            return rebalance();
        }
        LaneIntake lane = intake;
        String done = lane == null ? null : read(lane);
        quiet = lane == null || !hasMore(lane);
        return done;
    }

    private @Nullable String rebalance() {
        LaneListener lanes = listener;
        if (lanes == null) {
            return null;
        }
        if (held) {
            held = false;
            intake = null;
            lanes.revoked(SimulatedLog.PARTITION);
            return "is told that its lane is revoked";
        }
        known = log.assignment();
        quiet = true;
        if (log.owner().equals(instance)) {
            held = true;
            intake = lanes.assigned(SimulatedLog.PARTITION);
            return "is assigned the lane";
        }
        return "hears of a rebalance";
    }

    private @Nullable String read(LaneIntake lane) {
        reported = lane.progress();
        reported.ifPresent(progress -> log.report(progress.metadata()));
        OptionalLong sought = lane.takeSeek();
        if (sought.isPresent()) {
            position = sought.getAsLong();
            lane.opened(position);
            return "seeks " + position;
        }
        if (!hasMore(lane)) {
            return null;
        }
        List<RawRecord> records = log.read(position, POLLED);
        if (!records.isEmpty()) {
            lane.accept(records);
            position = records.get(records.size() - 1).offset() + 1;
            return "reads to " + position;
        }
        position = log.end();
        lane.reached(position, OptionalLong.of(log.end()));
        return "reaches the log's end";
    }

    private boolean hasMore(LaneIntake lane) {
        return position < log.end() && lane.wantsMore();
    }

    // ---- what the engine asks

    @Override
    public Set<String> topics() {
        return Set.of(SimulatedLog.TOPIC);
    }

    @Override
    public Map<String, LaneStart> resolve(Collection<String> topics, StartingOffsets startingOffsets) {
        return log.start();
    }

    @Override
    public Map<String, String> settled() {
        return Map.of();
    }

    @Override
    public LaneBounds bounds(String lane) {
        if (steps.reach(Point.SOURCE, "the source's bounds") == Fate.REFUSED) {
            throw new SourceUnavailableException("simulated: the source can't be reached", null);
        }
        return new LaneBounds(SimulatedLog.TOPIC_ID, Offsets.of(lane, 0), Offsets.of(lane, log.end()), log.reported());
    }

    @Override
    public void start(LaneListener newListener) {
        listener = newListener;
    }

    @Override
    public void stop() {
        throw new UnsupportedOperationException("an instance of the simulation ends only by dying");
    }

    @Override
    public void wakeUp() {
        quiet = false;
    }
}
