package io.github.tandemstreams.kafka;

import io.github.tandemstreams.source.LaneIntake.Progress;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits the lanes' progress to the consumer group, also when it went down: for lag tools, and as evidence of a restored
 * database. Nothing is ever read from where these offsets say, so a commit that fails is only tried again.
 *
 * <p>Threading: the consumer's thread, on which Kafka runs the callbacks too.
 */
final class GroupOffsets {

    private static final Logger log = LoggerFactory.getLogger(GroupOffsets.class);
    private static final long EVERY_NANOS = Duration.ofMillis(500).toNanos();

    private final Map<TopicPartition, Progress> sent = new HashMap<>();
    private long lastCommit = System.nanoTime() - EVERY_NANOS;

    /** Commits what has changed, unless that was done a moment ago. */
    void commitNowAndThen(Consumer<?, ?> consumer, Collection<HeldLane> lanes) {
        if (System.nanoTime() - lastCommit >= EVERY_NANOS) {
            commit(consumer, lanes);
        }
    }

    /** Commits what has changed. */
    void commit(Consumer<?, ?> consumer, Collection<HeldLane> lanes) {
        Map<TopicPartition, Progress> changed = new HashMap<>();
        for (HeldLane lane : lanes) {
            lane.progress()
                    .filter(progress -> !progress.equals(sent.get(lane.partition)))
                    .ifPresent(progress -> changed.put(lane.partition, progress));
        }
        if (changed.isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        changed.forEach((partition, progress) ->
                offsets.put(partition, new OffsetAndMetadata(progress.position(), progress.metadata())));
        lastCommit = System.nanoTime();
        sent.putAll(changed);
        consumer.commitAsync(offsets, (ignored, failure) -> {
            if (failure != null) {
                log.debug("Group offsets {} weren't committed; they are sent again", offsets, failure);
                changed.forEach(sent::remove);
            }
        });
    }

    /** Forgets what was sent for a partition: whoever has it next may have committed something else. */
    void forget(TopicPartition partition) {
        sent.remove(partition);
    }
}
