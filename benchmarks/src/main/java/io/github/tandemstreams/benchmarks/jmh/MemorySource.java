package io.github.tandemstreams.benchmarks.jmh;

import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StartingOffsets;
import io.github.tandemstreams.source.LaneBounds;
import io.github.tandemstreams.source.LaneIntake;
import io.github.tandemstreams.source.LaneListener;
import io.github.tandemstreams.source.LaneStart;
import io.github.tandemstreams.source.RawRecord;
import io.github.tandemstreams.source.Source;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One lane of one topic, whose records are those that it is told. */
final class MemorySource implements Source {

    private static final String TOPIC = "memory";
    private static final String LANE = TOPIC + "-0";

    private @Nullable LaneIntake intake;
    private long next;

    /** Waits until the lane was claimed, and opens it. */
    void awaitSeek() {
        LaneIntake opening = intake();
        OptionalLong sought = opening.takeSeek();
        while (sought.isEmpty()) {
            Thread.onSpinWait();
            sought = opening.takeSeek();
        }
        opening.opened(sought.getAsLong());
    }

    /** Hands these over as the records that come next, in the way of the consumer's thread. */
    void deliver(List<byte[]> values) {
        List<RawRecord> records = new ArrayList<>(values.size());
        for (byte[] value : values) {
            records.add(new RawRecord(TOPIC, 0, next++, 0, null, value, List.of()));
        }
        intake().accept(records);
        intake().reached(next, OptionalLong.of(next));
    }

    private LaneIntake intake() {
        if (intake == null) {
            throw new IllegalStateException("the source wasn't started");
        }
        return intake;
    }

    @Override
    public Set<String> topics() {
        return Set.of(TOPIC);
    }

    @Override
    public Map<String, String> settled() {
        return Map.of();
    }

    @Override
    public Map<String, LaneStart> resolve(Collection<String> topics, StartingOffsets startingOffsets) {
        return Map.of(LANE, new LaneStart(TOPIC, "", Offsets.of(LANE, 0)));
    }

    @Override
    public Map<String, Supplier<LaneBounds>> bounds(Collection<String> lanes) {
        return Map.of(LANE, () -> new LaneBounds("", Offsets.of(LANE, 0), Offsets.of(LANE, next), null));
    }

    @Override
    public void start(LaneListener listener) {
        intake = listener.assigned(LANE);
    }

    @Override
    public void stop() {}

    @Override
    public void wakeUp() {}
}
