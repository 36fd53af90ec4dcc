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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One instance's consumer of the {@link SimulatedLog}s. It hears of a new assignment only when it polls, each callback is
 * one step, and records come few at a time.
 *
 * <p>Threading: one thread at a time.
 */
public final class SimulatedSource implements Source {

    /** Records of one poll. */
    private static final int POLLED = 2;

    private final List<Reading> readings;
    private final String instance;
    private final Steps steps;

    private @Nullable LaneListener listener;

    public SimulatedSource(List<SimulatedLog> logs, String instance, Steps steps) {
        this.readings = logs.stream().map(Reading::new).toList();
        this.instance = instance;
        this.steps = steps;
    }

    /** Whether a poll may bring something, or has something to report: a consumer polls also when nobody wakes it. */
    public boolean isDue() {
        return readings.stream().anyMatch(Reading::isDue);
    }

    /**
     * One step of the consumer's thread, with the first partition that there is something to do with.
     *
     * @return what it did; null if there was nothing to do
     */
    public @Nullable String poll() {
        return readings.stream()
                .filter(Reading::isDue)
                .findFirst()
                .map(Reading::poll)
                .orElse(null);
    }

    /** One partition, as this consumer knows it. */
    private final class Reading {

        private final SimulatedLog log;
        private @Nullable LaneIntake intake;
        private int known = -1;
        private boolean held;
        private Optional<LaneIntake.Progress> reported = Optional.empty();
        private boolean quiet = true;
        private long position;

        Reading(SimulatedLog log) {
            this.log = log;
        }

        boolean isDue() {
            LaneIntake lane = intake;
            return !quiet
                    || known != log.assignment()
                    || (lane != null && !lane.progress().equals(reported));
        }

        @Nullable
        String poll() {
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
                lanes.revoked(log.partition());
                return "is told that " + log.partition() + " is revoked";
            }
            known = log.assignment();
            quiet = true;
            if (log.owner().equals(instance)) {
                held = true;
                intake = lanes.assigned(log.partition());
                return "is assigned " + log.partition();
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
                return "seeks " + position + " of " + log.partition();
            }
            if (!hasMore(lane)) {
                return null;
            }
            List<RawRecord> records = log.read(position, POLLED);
            if (!records.isEmpty()) {
                lane.accept(records);
                position = records.get(records.size() - 1).offset() + 1;
                return "reads to " + position + " of " + log.partition();
            }
            position = log.end();
            lane.reached(position, OptionalLong.of(log.end()));
            return "reaches the end of " + log.partition();
        }

        private boolean hasMore(LaneIntake lane) {
            return position < log.end() && lane.wantsMore();
        }
    }

    // ---- what the engine asks

    @Override
    public Set<String> topics() {
        return Set.of(SimulatedLog.TOPIC);
    }

    @Override
    public Map<String, LaneStart> resolve(Collection<String> topics, StartingOffsets startingOffsets) {
        Map<String, LaneStart> starts = new HashMap<>();
        readings.forEach(reading -> starts.putAll(reading.log.start()));
        return starts;
    }

    @Override
    public Map<String, String> settled() {
        return Map.of();
    }

    @Override
    public Map<String, Supplier<LaneBounds>> bounds(Collection<String> lanes) {
        if (steps.reach(Point.SOURCE, "the source's bounds") == Fate.REFUSED) {
            throw new SourceUnavailableException("simulated: the source can't be reached", null);
        }
        Map<String, Supplier<LaneBounds>> bounds = new HashMap<>();
        for (Reading reading : readings) {
            SimulatedLog log = reading.log;
            String lane = log.partition();
            LaneBounds of = new LaneBounds(
                    SimulatedLog.TOPIC_ID, Offsets.of(lane, 0), Offsets.of(lane, log.end()), log.reported());
            bounds.put(lane, () -> of);
        }
        bounds.keySet().retainAll(lanes);
        return bounds;
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
        readings.forEach(reading -> reading.quiet = false);
    }
}
