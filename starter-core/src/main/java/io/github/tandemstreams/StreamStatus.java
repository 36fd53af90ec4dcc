package io.github.tandemstreams;

import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A stream as this instance sees it.
 *
 * @param stream name of the stream
 * @param state what the stream does on this instance
 * @param lanes the lanes that are assigned to this instance
 * @param problem what keeps the stream from starting or reading, or that an operator stopped it on all instances; null if
 *     nothing does. Holds nothing of any record
 * @param problemSince since when there has been a problem, if perhaps not always the same one; null if there is none
 */
public record StreamStatus(
        String stream,
        State state,
        List<LaneStatus> lanes,
        @Nullable String problem,
        @Nullable Instant problemSince) {

    /** What a stream does on one instance. */
    public enum State {
        /** Not started, or stopped. */
        STOPPED,
        /** Waits for its source or its database. */
        STARTING,
        /** Lanes run as they are assigned. */
        RUNNING,
        /** Finishes what it has begun. */
        STOPPING
    }

    public StreamStatus {
        lanes = List.copyOf(lanes);
    }

    /** Records not committed yet over all lanes of this instance; empty while that is unknown for one of them. */
    public OptionalLong lag() {
        if (lanes.stream().anyMatch(lane -> lane.lag().isEmpty())) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(
                lanes.stream().mapToLong(lane -> lane.lag().orElseThrow()).sum());
    }
}
