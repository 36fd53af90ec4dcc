package io.github.tandemstreams.checkpoint;

import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.checkpoint.Checkpoint.PlannedBatch;
import io.github.tandemstreams.sink.DeadLetter;
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.source.LaneStart;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Lanes that start at offset 100, and batches of ten offsets each. */
public final class SampleBatches {

    public static final String STREAM = "flights";
    public static final String TOPIC_ID = "topic-1";

    private SampleBatches() {}

    public static LaneId lane(int partition) {
        return new LaneId(STREAM, "flights-" + partition);
    }

    /** Where so many lanes start: at offset 100. */
    public static Map<String, LaneStart> starts(int lanes) {
        return IntStream.range(0, lanes)
                .mapToObj(SampleBatches::lane)
                .collect(Collectors.toMap(
                        LaneId::lane, lane -> new LaneStart("flights", TOPIC_ID, Offsets.of(lane.lane(), 100))));
    }

    /** A claim of a lane that was registered. */
    public static Claim claim(Checkpoint checkpoint, LaneId lane) {
        return checkpoint.claim(lane, UUID.randomUUID()).orElseThrow();
    }

    /** The next ten offsets of the lane. */
    public static Plan next(Fence fence) {
        long start = fence.position().get(fence.lane().lane());
        return new Plan(fence.lastBatch() + 1, 0, OffsetRange.of(fence.lane().lane(), start, start + 10));
    }

    public static PlannedBatch ahead(Fence fence) {
        return new PlannedBatch(fence, next(fence));
    }

    /** A commit of the next batch with its plan. */
    public static Commit unplanned(Fence fence) {
        return commit(fence, false, Optional.empty(), List.of());
    }

    public static Commit withRidingPlan(Fence fence) {
        return commit(fence, false, Optional.of(next(fence.after(next(fence)))), List.of());
    }

    public static Commit commit(Fence fence, boolean planned, Optional<Plan> riding, List<DeadLetter> deadLetters) {
        return new Commit(
                fence,
                next(fence),
                planned,
                riding,
                TOPIC_ID,
                7,
                deadLetters,
                0,
                Run.begunAt(Instant.parse("2026-01-02T03:04:05Z")));
    }
}
