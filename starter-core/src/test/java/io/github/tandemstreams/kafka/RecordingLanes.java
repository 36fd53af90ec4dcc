package io.github.tandemstreams.kafka;

import io.github.tandemstreams.source.LaneIntake;
import io.github.tandemstreams.source.LaneListener;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Keeps what a source tells of its lanes. */
final class RecordingLanes implements LaneListener {

    final Map<String, RecordingIntake> held = new ConcurrentHashMap<>();
    final List<RecordingIntake> all = new CopyOnWriteArrayList<>();
    final List<String> troubles = new CopyOnWriteArrayList<>();
    final List<String> recoveries = new CopyOnWriteArrayList<>();
    private final Consumer<RecordingIntake> whenAssigned;

    /** @param whenAssigned what the lane's worker would do */
    RecordingLanes(Consumer<RecordingIntake> whenAssigned) {
        this.whenAssigned = whenAssigned;
    }

    /** Reads each lane from its first offset. */
    static RecordingLanes fromTheStart() {
        return new RecordingLanes(intake -> intake.seek(0));
    }

    @Override
    public LaneIntake assigned(String lane) {
        RecordingIntake intake = new RecordingIntake(lane);
        RecordingIntake before = held.put(lane, intake);
        if (before != null) {
            throw new AssertionError(lane + " was assigned twice without being revoked");
        }
        all.add(intake);
        whenAssigned.accept(intake);
        return intake;
    }

    @Override
    public void revoked(String lane) {
        RecordingIntake intake = held.remove(lane);
        if (intake != null) {
            intake.revoke();
        }
    }

    @Override
    public void troubled(String problem) {
        troubles.add(problem);
    }

    @Override
    public void recovered() {
        recoveries.add("after " + troubles.size() + " troubles");
    }

    Set<String> names() {
        return new TreeSet<>(held.keySet());
    }

    @Override
    public String toString() {
        return "held=" + held.values() + " troubles=" + troubles + " recoveries=" + recoveries;
    }
}
