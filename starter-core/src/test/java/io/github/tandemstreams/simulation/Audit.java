package io.github.tandemstreams.simulation;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.checkpoint.Claim;
import io.github.tandemstreams.source.LaneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/** Looks at everything that happens, for each lane by itself, and tells of the first promise that is broken. */
public final class Audit implements SimulatedDatabase.Watcher {

    private final Map<String, LaneAudit> lanes = new LinkedHashMap<>();

    /**
     * @param logs one for each lane
     * @param bad offsets of the records that must become dead letters
     * @param violations hears of each promise that is broken
     */
    public Audit(
            String stream,
            List<SimulatedLog> logs,
            SimulatedDatabase database,
            Set<Long> bad,
            Consumer<String> violations) {
        for (SimulatedLog log : logs) {
            LaneId lane = new LaneId(stream, log.partition());
            lanes.put(log.partition(), new LaneAudit(lane, database, log, bad, violations));
        }
    }

    /** A handler was given a batch. */
    public void given(Batch<?> batch, String transactionId) {
        of(batch.lane()).given(batch, transactionId);
    }

    /** The claim still holds the row. */
    public void claimed(Claim claim) {
        of(claim.fence().lane().lane()).claimed(claim);
    }

    private LaneAudit of(String lane) {
        return Objects.requireNonNull(lanes.get(lane));
    }

    @Override
    public void committed(SimulatedDatabase.State before, SimulatedDatabase.State after) {
        lanes.values().forEach(lane -> lane.committed(before, after));
    }

    /** Whether each lane stands at the end of its log. */
    public boolean isDone() {
        return lanes.values().stream().allMatch(LaneAudit::isDone);
    }

    /** To be called when nothing moves any more. */
    public void finish() {
        lanes.values().forEach(LaneAudit::finish);
    }
}
