package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.LaneStatus;
import io.github.tandemstreams.StreamOperations;
import io.github.tandemstreams.StreamStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Health of a stream on this instance.
 *
 * <ul>
 *   <li>DOWN: a lane is FAILED, or stalled: it has had records for so long and committed none, or couldn't be claimed. Both
 *       need a person. A wait for the database or the source that lasts as long is told in this way, too. The time until
 *       the trigger lets a batch begin doesn't count.
 *   <li>UNKNOWN: a batch is being tried again, or the stream waits for its source or its database. That passes by itself;
 *       the detail {@code problem} says what it is.
 *   <li>UP: all else, also if the stream or a lane was stopped or paused on purpose.
 * </ul>
 */
final class StreamHealthIndicator extends AbstractHealthIndicator {

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
        Map<String, Object> lanes = new LinkedHashMap<>();
        status.lanes().forEach(lane -> lanes.put(lane.lane(), details(lane, now)));
        health.withDetail("lanes", lanes);
    }

    private Status health(StreamStatus status, Instant now) {
        if (status.lanes().stream().anyMatch(lane -> lane.state() == LaneState.FAILED || isStalled(lane, now))) {
            return Status.DOWN;
        }
        boolean troubled = (status.problem() != null && status.state() != StreamStatus.State.STOPPED)
                || status.lanes().stream().anyMatch(lane -> lane.state() == LaneState.ACTIVE && lane.problem() != null);
        return troubled ? Status.UNKNOWN : Status.UP;
    }

    private boolean isStalled(LaneStatus lane, Instant now) {
        Instant since = lane.backlog().since();
        return lane.state() == LaneState.ACTIVE
                && since != null
                && !since.plus(stalledAfter).isAfter(now);
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
            details.put("problem", lane.problem());
        }
        return details;
    }
}
