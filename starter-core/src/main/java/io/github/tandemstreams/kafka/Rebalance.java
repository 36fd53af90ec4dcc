package io.github.tandemstreams.kafka;

import java.util.Collection;
import java.util.Objects;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;

/**
 * Partitions come and go. A partition that comes is paused at a placeholder: where to read from is known only when a worker
 * has claimed the lane, and a rebalance must not wait for the database. Nothing here may block on Kafka either, since a
 * wake-up during such a call kills the consumer.
 *
 * <p>Revocation is idempotent: Kafka may tell of one partition as revoked, then lost, then revoked again.
 */
final class Rebalance implements ConsumerAwareRebalanceListener {

    private static final Logger log = LoggerFactory.getLogger(Rebalance.class);

    /** Without a position Kafka would look for a committed one and fail, since it may not reset. */
    private static final long PLACEHOLDER = 0;

    private final HeldLanes lanes;
    private final GroupOffsets groupOffsets;

    Rebalance(HeldLanes lanes, GroupOffsets groupOffsets) {
        this.lanes = lanes;
        this.groupOffsets = groupOffsets;
    }

    @Override
    public void onPartitionsAssigned(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        consumer.pause(partitions);
        for (TopicPartition partition : partitions) {
            consumer.seek(partition, PLACEHOLDER);
            lanes.assign(partition);
        }
    }

    @Override
    public void onPartitionsRevokedBeforeCommit(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        try {
            groupOffsets.commit(
                    consumer,
                    partitions.stream().map(lanes::get).filter(Objects::nonNull).toList());
        } catch (RuntimeException onlyForLagTools) {
            log.debug("Last group offsets of {} weren't committed", partitions, onlyForLagTools);
        }
        release(partitions);
    }

    @Override
    public void onPartitionsLost(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        release(partitions);
    }

    private void release(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            lanes.release(partition);
            groupOffsets.forget(partition);
        }
    }
}
