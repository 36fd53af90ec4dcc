package io.github.tandemstreams.engine;

import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.checkpoint.Claim;
import io.github.tandemstreams.checkpoint.Plan;
import io.github.tandemstreams.source.LaneBounds;
import io.github.tandemstreams.source.LaneStart;
import io.github.tandemstreams.source.Source;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes lanes over and finds out where they go on.
 *
 * <p>The invariant: after a claim nobody else can commit on the lane, and what the lane's row says is final.
 *
 * <p>Threading: used by several workers; has no state.
 */
final class LaneClaimer {

    /** How long a position may lie beyond the end of the log before that counts as a truncated log. */
    static final Duration TRUNCATION_PATIENCE = Duration.ofSeconds(30);

    private static final Logger log = LoggerFactory.getLogger(LaneClaimer.class);

    private final StreamDefinition<?> stream;
    private final Checkpoint checkpoint;
    private final Source source;
    private final TroubleLog troubles;
    private final Clock clock;

    LaneClaimer(StreamDefinition<?> stream, Clock clock) {
        this.stream = stream;
        this.checkpoint = stream.checkpoint();
        this.source = stream.source();
        this.troubles = new TroubleLog(checkpoint);
        this.clock = clock;
    }

    /** What a claim came to. */
    sealed interface Claimed {
        /** The lane is ours; it runs, or is held as its state says. */
        record Ours(Claim claim) implements Claimed {}

        /** The lane was in doubt, and somebody else has claimed it since. */
        record Theirs() implements Claimed {}

        /** The lane is ours but the source can't serve it yet. */
        record NotYet(String why) implements Claimed {}

        /** The lane is ours but can't go on: it is to be marked as failed, perhaps for the topic that was found. */
        record Broken(Claim claim, String why, @Nullable String foundTopicId) implements Claimed {}
    }

    /**
     * Claims lanes, each in a transaction of its own. Then it asks the source once about all that may run, and sees to each
     * how it goes on.
     *
     * <pre>
     *   claim:  epoch + 1 (waits for a commit in flight), then a new statement reads the plan last_batch + 1
     *           in doubt: ... where epoch = mine; no row: somebody else has it
     *   no row: the topic gained the partition later; add it at its earliest offset, claim again
     *   the consumer group was told of later batches: the database was restored; new plans get a new generation
     *   paused or failed: hold it, whatever the source says; its position is reported once that evidence was looked at
     *   the start is gone (before the log's start, or another topic id): fail, or record the gap and claim again
     *   the start or the plan's end is beyond the log's end: wait; after 30 s that is a truncated log
     *   a plan: its start is the position, else fail;  seek to its start, read exactly to its end, run it as that batch
     *   no plan: seek to the position
     * </pre>
     *
     * @param wanted asked before each lane's turn: another one may have taken long
     * @param ended told of each lane's claim; what is supplied may throw if the database or the source can't be reached
     */
    void claim(List<Lane> lanes, Predicate<Lane> wanted, BiConsumer<Lane, Supplier<Claimed>> ended) {
        Map<Lane, Claim> ours = new LinkedHashMap<>();
        for (Lane lane : lanes) {
            if (!wanted.test(lane)) {
                continue;
            }
            try {
                Claimed taken = take(lane);
                if (taken instanceof Claimed.Ours own) {
                    ours.put(lane, own.claim());
                } else {
                    ended.accept(lane, () -> taken);
                }
            } catch (RuntimeException unreachable) {
                ended.accept(lane, () -> rethrow(unreachable));
            }
        }
        if (!ours.isEmpty()) {
            goOn(ours, ended);
        }
    }

    private static Claimed rethrow(RuntimeException failure) {
        throw failure;
    }

    private void goOn(Map<Lane, Claim> ours, BiConsumer<Lane, Supplier<Claimed>> ended) {
        Map<String, Supplier<LaneBounds>> bounds;
        try {
            bounds = source.bounds(
                    ours.keySet().stream().map(lane -> lane.id.lane()).toList());
        } catch (RuntimeException unreachable) {
            Supplier<LaneBounds> none = () -> {
                throw unreachable;
            };
            bounds = ours.keySet().stream().collect(Collectors.toMap(lane -> lane.id.lane(), lane -> none));
        }
        Map<String, Supplier<LaneBounds>> asked = bounds;
        ours.forEach((lane, claim) -> {
            Supplier<LaneBounds> answer = Objects.requireNonNull(asked.get(lane.id.lane()));
            ended.accept(
                    lane,
                    claim.state() == LaneState.ACTIVE
                            ? () -> goOn(lane, claim, answer.get())
                            : () -> hold(lane, claim, answer));
        });
    }

    /** It is held already. What the group says of it is overwritten only by who has looked at it. */
    private Claimed hold(Lane lane, Claim claim, Supplier<LaneBounds> asked) {
        try {
            Optional<Claim> checked = inItsGeneration(lane, claim, asked.get());
            if (checked.isEmpty()) {
                return new Claimed.Theirs();
            }
            lane.report(checked.get().generation());
        } catch (RuntimeException unreachable) {
            log.debug("{}: its position isn't reported, since the source can't be asked of it", lane.id, unreachable);
        }
        return new Claimed.Ours(claim);
    }

    /** The claim itself. A lane that is paused or failed is held with it; another one is ours, and doesn't run yet. */
    private Claimed take(Lane lane) {
        // Else what this instance began itself would look like a death of somebody.
        troubles.ended(lane);
        UUID owner = UUID.randomUUID();
        Optional<Claim> found = lane.phase == Lane.Phase.IN_DOUBT
                ? checkpoint.reclaim(lane.id, lane.owned().epoch(), owner)
                : checkpoint.claim(lane.id, owner);
        if (found.isEmpty() && lane.phase == Lane.Phase.IN_DOUBT) {
            return new Claimed.Theirs();
        }
        Claim claim = found.orElseGet(() -> addAndClaim(lane, owner));
        // The doubt is settled, whatever the source says below.
        lane.phase = Lane.Phase.UNCLAIMED;
        if (claim.state() != LaneState.ACTIVE) {
            lane.hold(claim);
        }
        return new Claimed.Ours(claim);
    }

    private Claim addAndClaim(Lane lane, UUID owner) {
        LaneBounds bounds = source.bounds(lane.id.lane());
        log.info(
                "{}: a partition that its topic gained since the stream was first started; it starts at its earliest"
                        + " offset {}",
                lane.id,
                bounds.earliest());
        checkpoint.add(lane.id, new LaneStart("", bounds.topicId(), bounds.earliest()));
        return checkpoint
                .claim(lane.id, owner)
                .orElseThrow(() -> new EngineException(lane.id + ": its row was deleted"));
    }

    private Claimed goOn(Lane lane, Claim claimed, LaneBounds bounds) {
        Optional<Claim> checked = inItsGeneration(lane, claimed, bounds);
        if (checked.isEmpty()) {
            return new Claimed.Theirs();
        }
        Claim claim = checked.get();
        String partition = lane.partition();
        long earliest = bounds.earliest().get(partition);
        long latest = bounds.latest().get(partition);
        long position = claim.fence().position().byPartition().getOrDefault(partition, earliest);
        Optional<Plan> plan = claim.plan();
        if (plan.isPresent() && plan.get().range().starts().get(partition) != position) {
            return new Claimed.Broken(
                    claim,
                    "its offset log and its position contradict each other: batch "
                            + plan.get().batch() + " is planned as "
                            + plan.get().range() + " but the position is "
                            + claim.fence().position()
                            + ". Somebody changed the tables by hand. Nothing was read. Set the position to the plan's"
                            + " start, or delete that plan if its batch never ran, then resume the lane.",
                    null);
        }
        if (isRecreated(claim, bounds)) {
            return lost(
                    lane,
                    claim,
                    bounds,
                    "topic id changed from " + claim.topicId() + " to " + bounds.topicId()
                            + ": the topic was deleted and created again");
        }
        if (position < earliest) {
            return lost(
                    lane,
                    claim,
                    bounds,
                    "offsets " + position + " to " + (earliest - 1)
                            + " are gone: the log starts at " + earliest
                            + " (retention or deletion of records went past the stream)");
        }
        long needed = Math.max(
                position, plan.map(p -> p.range().ends().get(partition)).orElse(position));
        if (needed > latest) {
            return beyondEnd(lane, claim, bounds, needed, latest);
        }
        lane.logEnd(latest);
        lane.run(claim, position);
        source.wakeUp();
        return new Claimed.Ours(claim);
    }

    /** The claim as it is after a look at what was reported of the lane; empty if somebody else has it by now. */
    private Optional<Claim> inItsGeneration(Lane lane, Claim claim, LaneBounds bounds) {
        int generation = Evidence.generation(claim, bounds.reported());
        if (generation == claim.generation()) {
            return Optional.of(claim);
        }
        log.warn(
                "{}: its consumer group was told of batches ({}) that this database doesn't know (last batch {}): it was"
                        + " restored, or lost transactions in a fail-over. Batches from here on have new transaction"
                        + " ids, of generation {}.",
                lane.id,
                bounds.reported(),
                claim.fence().lastBatch(),
                generation);
        return checkpoint.raiseGeneration(claim.fence(), generation)
                ? Optional.of(claim.withGeneration(generation))
                : Optional.empty();
    }

    private static boolean isRecreated(Claim claim, LaneBounds bounds) {
        return !claim.topicId().isEmpty()
                && !bounds.topicId().isEmpty()
                && !claim.topicId().equals(bounds.topicId());
    }

    private Claimed beyondEnd(Lane lane, Claim claim, LaneBounds bounds, long needed, long latest) {
        Instant now = clock.instant();
        if (lane.beyondEndSince == null) {
            lane.beyondEndSince = now;
        }
        if (now.isBefore(lane.beyondEndSince.plus(TRUNCATION_PATIENCE))) {
            return new Claimed.NotYet("the log ends at " + latest + " but offset " + needed
                    + " was read before; waiting for the broker to catch up");
        }
        return lost(
                lane,
                claim,
                bounds,
                "the log ends at " + latest + " but offset " + needed
                        + " was read before: the log was truncated (an unclean leader election, or a restored broker)");
    }

    /** Offsets are gone: fail, or record the gap as a batch of its own and go on after it. */
    private Claimed lost(Lane lane, Claim claim, LaneBounds bounds, String what) {
        Plan gap = gap(lane, claim, bounds);
        if (stream.failurePolicy().failOnDataLoss()) {
            return new Claimed.Broken(
                    claim,
                    what + ". Nothing was skipped. To go on with what is left, " + advice(lane, claim, bounds, gap),
                    isRecreated(claim, bounds) ? bounds.topicId() : null);
        }
        log.error(
                "{}: {}. It goes on at {}, as batch {} of status 'lost' records.",
                lane.id,
                what,
                gap.range().ends(),
                gap.batch());
        if (!checkpoint.skip(claim.fence(), gap, bounds.topicId())) {
            return new Claimed.Theirs();
        }
        Claimed again = take(lane);
        return again instanceof Claimed.Ours ours && ours.claim().state() == LaneState.ACTIVE
                ? goOn(lane, ours.claim(), source.bounds(lane.id.lane()))
                : again;
    }

    /** How an operator has the lane go on where the gap ends. */
    private static String advice(Lane lane, Claim claim, LaneBounds bounds, Plan gap) {
        Offsets goOn = gap.range().ends();
        long end = goOn.get(lane.partition());
        long position = claim.fence().position().byPartition().getOrDefault(lane.partition(), end);
        String setting = "set tandem.streams." + lane.id.stream() + ".fail-on-data-loss=false, restart, and resume it.";
        if (end == position && !isRecreated(claim, bounds)) {
            return setting;
        }
        return (end > position ? "skip" : "rewind") + " the lane to " + goOn + " and resume it; or " + setting;
    }

    private static Plan gap(Lane lane, Claim claim, LaneBounds bounds) {
        String partition = lane.partition();
        long earliest = bounds.earliest().get(partition);
        long position = claim.fence().position().byPartition().getOrDefault(partition, earliest);
        // Where its plan alone reaches beyond the log's end, it stays where it stands: what is before that is done.
        long goOn = isRecreated(claim, bounds)
                ? earliest
                : Math.max(earliest, Math.min(position, bounds.latest().get(partition)));
        // A log that was cut, or begun anew, may go on below the position: then the gap itself holds no offset.
        OffsetRange range =
                new OffsetRange(Offsets.of(partition, Math.min(position, goOn)), Offsets.of(partition, goOn));
        return new Plan(claim.fence().lastBatch() + 1, claim.generation(), range);
    }
}
