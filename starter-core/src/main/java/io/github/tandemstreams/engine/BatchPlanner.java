package io.github.tandemstreams.engine;

import io.github.tandemstreams.Effects;
import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.Trigger;
import io.github.tandemstreams.checkpoint.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Cuts batches: the next id of a lane and its range, from what is buffered and from the limits.
 *
 * <p>Threading: belongs to one worker.
 */
final class BatchPlanner {

    /**
     * How long the source must stand beyond the last record (transaction markers, aborted or compacted records) before a
     * batch without records moves the lane there. Without this wait each small Kafka transaction would cost two batches.
     */
    static final Duration EMPTY_RANGE_DELAY = Duration.ofSeconds(1);

    private final StreamDefinition<?> stream;
    private final BatchSize size;

    BatchPlanner(StreamDefinition<?> stream) {
        this.stream = stream;
        this.size = new BatchSize(stream.limits().maxRecordsPerBatch(), stream.targetBatchDuration());
    }

    /** How many records the next batch may take, and lanes that share a transaction together. */
    BatchSize size() {
        return size;
    }

    /**
     * Sees to it that a running lane has a plan and its records in hand, if there is anything to plan. True if it can be
     * run now.
     */
    boolean prepare(Lane lane, Instant now) {
        if (lane.notBefore.isAfter(now)) {
            return false;
        }
        if (lane.plan == null) {
            cutNext(lane, now);
        }
        return lane.plan != null && lane.take();
    }

    /**
     * Sees to it that the lane has a plan in hand which can ride along with the commit of others, with all the records that
     * are here by now. False if it has nothing to plan, or runs alone.
     */
    boolean prepareToRide(Lane lane, Instant now) {
        if (lane.alone || !prepare(lane, now)) {
            return false;
        }
        cut(lane, lane.nextOffset).ifPresent(longer -> lane.plan = next(lane, longer));
        return true;
    }

    private void cutNext(Lane lane, Instant now) {
        if (lane.nextTrigger.isAfter(now)) {
            return;
        }
        Optional<LaneBuffer.Cut> cut = cut(lane, lane.nextOffset).filter(found -> isWorthwhile(lane, found, now));
        cut.ifPresent(found -> {
            lane.plan = next(lane, found);
            lane.planned = false;
            lane.nextTrigger = next(now);
            if (stream.trigger() instanceof Trigger.ProcessingTime) {
                lane.free(); // until now it waited for its trigger
            }
        });
    }

    /** The batch after this one, if its records are here already: its plan rides along with this one's commit. */
    Optional<Plan> following(Lane lane) {
        if (stream.effects() == Effects.DATABASE || stream.trigger() instanceof Trigger.ProcessingTime) {
            return Optional.empty();
        }
        Plan inHand = lane.plan();
        long start = inHand.range().ends().get(lane.partition());
        return cut(lane, start)
                .filter(found -> found.records() > 0)
                .map(found -> plan(lane, inHand.batch() + 1, start, found));
    }

    /** Whether the lane's plan must stand in the offset log before its batch runs. */
    boolean mustPlanAhead(Lane lane) {
        return !lane.planned && (stream.effects() == Effects.ANYWHERE || lane.planAhead);
    }

    /** When {@link #prepare} may answer otherwise without anything having arrived. */
    Instant nextDue(Lane lane, Instant now) {
        if (lane.notBefore.isAfter(now)) {
            return lane.notBefore;
        }
        if (lane.plan != null) {
            return Instant.MAX;
        }
        if (lane.nextTrigger.isAfter(now)) {
            return lane.nextTrigger;
        }
        return lane.aheadSince == null ? Instant.MAX : lane.aheadSince.plus(EMPTY_RANGE_DELAY);
    }

    private Optional<LaneBuffer.Cut> cut(Lane lane, long start) {
        return lane.buffer.cut(start, size.records(), stream.limits().maxBytesPerBatch());
    }

    private static boolean isWorthwhile(Lane lane, LaneBuffer.Cut cut, Instant now) {
        if (cut.records() > 0) {
            return true;
        }
        if (lane.aheadSince == null) {
            lane.aheadSince = now;
        }
        return !lane.aheadSince.plus(EMPTY_RANGE_DELAY).isAfter(now);
    }

    private static Plan next(Lane lane, LaneBuffer.Cut cut) {
        return plan(lane, lane.owned().lastBatch() + 1, lane.nextOffset, cut);
    }

    private static Plan plan(Lane lane, long batch, long start, LaneBuffer.Cut cut) {
        return new Plan(batch, lane.claimed().generation(), OffsetRange.of(lane.partition(), start, cut.end()));
    }

    private Instant next(Instant now) {
        return stream.trigger() instanceof Trigger.ProcessingTime time ? now.plus(time.interval()) : Instant.MIN;
    }
}
