package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.LaneStatus;
import io.github.tandemstreams.StreamOperations;
import io.github.tandemstreams.StreamStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Health of a stream on this instance.
 *
 * <ul>
 *   <li>DOWN: a lane is FAILED, or stalled: it has had records for so long and committed none, or couldn't be claimed. Or the
 *       stream is stalled: it couldn't start, or its source couldn't be read, for as long. All of this needs a person. The
 *       time until the trigger lets a batch begin doesn't count.
 *   <li>UNKNOWN: a batch is being tried again, or the stream waits for its source or its database. That passes by itself;
 *       the detail {@code problem} says what it is.
 *   <li>UP: all else, also if the stream or a lane was stopped or paused on purpose.
 * </ul>
 *
 * <p>Health may be shown to people who see no payloads, so it holds nothing of what records hold: not why a lane failed.
 */
final class StreamHealthIndicator extends AbstractHealthIndicator {

    private static final String FAILED =
            "failed; its cause is in tandem.lane_position, and on the endpoint tandem where payloads are shown";

    private final StreamOperations streams;
    private final String stream;
    private final Duration stalledAfter;

    StreamHealthIndicator(StreamOperations streams, String stream, Duration stalledAfter) {
        super("The state of stream '" + stream + "' can't be told");
        this.streams = streams;
        this.stream = stream;
        this.stalledAfter = stalledAfter;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        StreamStatus status = streams.status(stream);
        Instant now = Instant.now();
        health.status(health(status, now)).withDetail("state", status.state());
        if (status.problem() != null) {
            health.withDetail("problem", status.problem());
        }
        Instant since = status.problemSince();
        if (since != null && isStalled(status, now)) {
            health.withDetail("stalledSince", since);
        }
        Map<String, Object> lanes = new LinkedHashMap<>();
        status.lanes().forEach(lane -> lanes.put(lane.lane(), details(lane, now)));
        health.withDetail("lanes", lanes);
    }

    private Status health(StreamStatus status, Instant now) {
        if (isStalled(status, now)
                || status.lanes().stream().anyMatch(lane -> lane.state() == LaneState.FAILED || isStalled(lane, now))) {
            return Status.DOWN;
        }
        boolean troubled = (status.problem() != null && status.state() != StreamStatus.State.STOPPED)
                || status.lanes().stream().anyMatch(lane -> lane.state() == LaneState.ACTIVE && lane.problem() != null);
        return troubled ? Status.UNKNOWN : Status.UP;
    }

    /** What keeps it from starting or reading passes by itself, or it doesn't. */
    private boolean isStalled(StreamStatus status, Instant now) {
        return status.state() != StreamStatus.State.STOPPED && isLongAgo(status.problemSince(), now);
    }

    private boolean isStalled(LaneStatus lane, Instant now) {
        return lane.state() == LaneState.ACTIVE && isLongAgo(lane.backlog().since(), now);
    }

    private boolean isLongAgo(@Nullable Instant since, Instant now) {
        return since != null && !since.plus(stalledAfter).isAfter(now);
    }

    private Map<String, Object> details(LaneStatus lane, Instant now) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("state", lane.state());
        details.put("claimed", lane.claimed());
        details.put("epoch", lane.epoch());
        details.put("lastBatch", lane.lastBatch());
        details.put("position", lane.position().byPartition());
        lane.lag().ifPresent(lag -> details.put("lag", lag));
        if (isStalled(lane, now)) {
            details.put("stalledSince", lane.backlog().since());
        }
        if (lane.problem() != null) {
            details.put("retries", lane.retries());
            details.put("problem", lane.state() == LaneState.ACTIVE ? lane.problem() : FAILED);
        }
        return details;
    }
}
