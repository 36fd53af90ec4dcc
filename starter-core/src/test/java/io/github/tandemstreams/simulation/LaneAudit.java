package io.github.tandemstreams.simulation;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.checkpoint.Claim;
import io.github.tandemstreams.checkpoint.Plan;
import io.github.tandemstreams.source.LaneId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Looks at everything that happens to one lane, as it happens, and tells of the first promise that is broken:
 *
 * <ul>
 *   <li>each record's effect is committed exactly once, together with the batch that it belongs to; a bad one's is its
 *       dead letter;
 *   <li>ids of batches grow by one, their ranges are contiguous, the epochs of commits never fall;
 *   <li>the lane's row never goes back, but by a rewind, after which its records are due once more; its generation stays,
 *       since nothing is ever restored;
 *   <li>a transaction id that a handler was given has one range for ever, committed or not;
 *   <li>a claim tells of the plan that stands in the offset log.
 * </ul>
 */
final class LaneAudit {

    private final LaneId lane;
    private final SimulatedDatabase database;
    private final SimulatedLog log;
    private final Set<Long> bad;
    private final Consumer<String> violations;

    private final Set<Long> seen = new HashSet<>();
    private final Map<String, OffsetRange> ranges = new HashMap<>();
    private long lastBatch = -1;
    private long lastEpoch;
    private long end;

    /**
     * @param bad offsets of the records that must become dead letters
     * @param violations hears of each promise that is broken
     */
    LaneAudit(LaneId lane, SimulatedDatabase database, SimulatedLog log, Set<Long> bad, Consumer<String> violations) {
        this.lane = lane;
        this.database = database;
        this.log = log;
        this.bad = Set.copyOf(bad);
        this.violations = what -> violations.accept(lane + ": " + what);
    }

    // ---- what the handlers see

    void given(Batch<?> batch, String transactionId) {
        OffsetRange before = ranges.putIfAbsent(transactionId, batch.range());
        if (before != null && !before.equals(batch.range())) {
            violations.accept("the transaction id " + transactionId + " stood for " + before + " and now stands for "
                    + batch.range());
        }
    }

    // ---- what claims see

    /** The claim still holds the row. */
    void claimed(Claim claim) {
        long next = claim.fence().lastBatch() + 1;
        Optional<Plan> stored = database.state().get(Key.planned(lane, next)).map(Rows.Planned::plan);
        if (!stored.equals(claim.plan())) {
            violations.accept("a claim finds " + claim.plan() + " as plan of batch " + next
                    + ", but the offset log has " + stored);
        }
    }

    // ---- what is committed

    void committed(SimulatedDatabase.State before, SimulatedDatabase.State after) {
        Rows.Lane was = before.get(Key.lane(lane)).orElse(null);
        Rows.Lane is = after.get(Key.lane(lane)).orElseThrow();
        if (was != null && (is.epoch() < was.epoch() || is.lastBatch() < was.lastBatch())) {
            violations.accept("the lane's row goes back from " + was + " to " + is);
        }
        if (is.generation() != 0) {
            violations.accept("the generation is raised though nothing was forgotten: " + is);
        }
        List<Long> effects = added(Rows.Effect.class, before, after)
                .filter(effect -> effect.lane().equals(lane))
                .map(Rows.Effect::offset)
                .toList();
        List<Long> parked = added(Rows.Parked.class, before, after)
                .filter(letter -> letter.lane().equals(lane))
                .map(Rows.Parked::offset)
                .toList();
        List<Rows.Committed> batches = added(Rows.Committed.class, before, after)
                .filter(batch -> batch.lane().equals(lane))
                .toList();
        if (batches.isEmpty() && (!effects.isEmpty() || !parked.isEmpty())) {
            violations.accept("effects of " + effects + " and dead letters of " + parked + " without a batch");
        }
        for (Rows.Committed batch : batches) {
            long start = end;
            if (batch.status().equals("abandoned")) {
                counted(batch);
                continue;
            }
            committed(batch, is, after);
            effects(batch.batch(), start, effects, parked);
        }
        if (was != null && is.position().get(lane.lane()) < was.position().get(lane.lane())) {
            rewound(was, is);
        }
    }

    /** What comes after there is to be done once more: only a command, which raises the epoch, may ask for that. */
    private void rewound(Rows.Lane was, Rows.Lane is) {
        if (is.epoch() != was.epoch() + 1 || is.owner() != null) {
            violations.accept("the lane goes back from " + was + " to " + is);
        }
        end = is.position().get(lane.lane());
        seen.removeIf(offset -> offset >= end);
    }

    private void counted(Rows.Committed batch) {
        if (batch.batch() != lastBatch + 1) {
            violations.accept("batch " + batch.batch() + " is committed after batch " + lastBatch);
        }
        if (batch.epoch() < lastEpoch) {
            violations.accept("batch " + batch.batch() + " is committed under epoch " + batch.epoch() + ", after epoch "
                    + lastEpoch);
        }
        lastBatch = batch.batch();
        lastEpoch = batch.epoch();
    }

    private void committed(Rows.Committed batch, Rows.Lane row, SimulatedDatabase.State after) {
        counted(batch);
        OffsetRange range = after.get(Key.planned(lane, batch.batch()))
                .map(planned -> planned.plan().range())
                .orElse(null);
        if (range == null) {
            violations.accept("batch " + batch.batch() + " is committed without a plan");
            return;
        }
        long start = range.starts().get(lane.lane());
        if (start != end || row.lastBatch() != batch.batch() || !row.position().equals(range.ends())) {
            violations.accept("batch " + batch.batch() + " of " + range + " is committed where the lane stands at "
                    + end + " and goes to " + row);
        }
        end = range.ends().get(lane.lane());
    }

    private void effects(long batch, long start, List<Long> effects, List<Long> parked) {
        List<Long> inRange = log.offsets().stream()
                .filter(offset -> offset >= start && offset < end)
                .toList();
        List<Long> good =
                inRange.stream().filter(offset -> !bad.contains(offset)).toList();
        List<Long> dead = inRange.stream().filter(bad::contains).toList();
        if (!effects.equals(good) || !parked.equals(dead)) {
            violations.accept("batch " + batch + " has the effects of " + effects + " and the dead letters of " + parked
                    + ", but its range holds " + good + " and, as bad ones, " + dead);
        }
        for (long offset : inRange) {
            if (!seen.add(offset)) {
                violations.accept("the record at " + offset + " is done twice");
            }
        }
    }

    private static <R> Stream<R> added(Class<R> table, SimulatedDatabase.State before, SimulatedDatabase.State after) {
        return after.rows().entrySet().stream()
                .filter(entry ->
                        entry.getKey().table() == table && !before.rows().containsKey(entry.getKey()))
                .map(entry -> table.cast(entry.getValue()));
    }

    // ---- the end

    /** Whether the lane stands at the end of the log. */
    boolean isDone() {
        return end == log.end();
    }

    /** To be called when nothing moves any more. */
    void finish() {
        Set<Long> lost = new HashSet<>(log.offsets());
        lost.removeAll(seen);
        if (!isDone() || !lost.isEmpty()) {
            violations.accept("the lane ends at " + end + " of " + log.end() + ", without the effects of " + lost);
        }
    }
}
