package io.github.tandemstreams.kafka;

import org.apache.kafka.common.TopicPartition;

/**
 * A lane is a topic-partition, called {@code flights-3}. Topics may contain dashes and digits, partitions are digits only,
 * so the last dash divides the name without doubt.
 */
final class LaneNames {

    private LaneNames() {}

    static String of(TopicPartition partition) {
        return partition.topic() + "-" + partition.partition();
    }

    /** @throws IllegalArgumentException if the name is no topic-partition */
    static TopicPartition partition(String lane) {
        int dash = lane.lastIndexOf('-');
        try {
            if (dash > 0) {
                return new TopicPartition(lane.substring(0, dash), Integer.parseInt(lane.substring(dash + 1)));
            }
        } catch (NumberFormatException noPartition) {
            // told below
        }
        throw new IllegalArgumentException("'" + lane + "' is no lane of a Kafka topic, such as flights-3");
    }
}
