package io.github.tandemstreams.source;

/**
 * The unit of order, ownership, batch ids and failure. Ordered by its name: rows of several lanes are locked in this order.
 *
 * @param stream name of the stream
 * @param lane name of the lane; for Kafka the topic-partition, such as {@code flights-3}
 */
public record LaneId(String stream, String lane) implements Comparable<LaneId> {

    @Override
    public int compareTo(LaneId other) {
        int byStream = stream.compareTo(other.stream);
        return byStream != 0 ? byStream : lane.compareTo(other.lane);
    }

    /** How logs and messages name the lane: {@code Stream 'flights', lane flights-3}. */
    @Override
    public String toString() {
        return "Stream '" + stream + "', lane " + lane;
    }
}
