package io.github.tandemstreams.kafka;

import java.time.Duration;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ListenerUtils;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * What an exception on the consumer's thread means. Offsets that are gone are told to their lanes, what Kafka calls
 * retriable is tried again, and everything else ends this container, so that another one starts with all lanes assigned
 * anew: a consumer of the consumer protocol is beyond repair after a fatal error though its polls go on, and after an
 * error of our own some records may not have reached their lane.
 */
final class PollErrors implements CommonErrorHandler {

    private static final Logger log = LoggerFactory.getLogger(PollErrors.class);
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final ConsumerSettings settings;
    private final HeldLanes lanes;
    private final Trouble trouble;

    PollErrors(ConsumerSettings settings, HeldLanes lanes, Trouble trouble) {
        this.settings = settings;
        this.lanes = lanes;
        this.trouble = trouble;
    }

    @Override
    public void handleOtherException(
            Exception thrown, Consumer<?, ?> consumer, MessageListenerContainer container, boolean batchListener) {
        if (thrown instanceof OffsetOutOfRangeException gone) {
            gone.offsetOutOfRangePartitions().forEach(this::outOfRange);
        } else if (thrown instanceof RetriableException) {
            trouble.found("Kafka can't be read by consumer group '" + settings.groupId() + "' ("
                    + Trouble.rootOf(thrown) + "); it is tried again");
            pause(container);
        } else if (!(thrown instanceof WakeupException)) {
            // A wake-up met a call before the poll; the look at the lanes is repeated before the next one.
            end(thrown, container);
        }
    }

    @Override
    public void handleBatch(
            Exception thrown,
            ConsumerRecords<?, ?> records,
            Consumer<?, ?> consumer,
            MessageListenerContainer container,
            Runnable invokeListener) {
        end(thrown, container);
    }

    /** Nothing is acknowledged, least of all what wasn't handed over. */
    @Override
    public boolean isAckAfterHandle() {
        return false;
    }

    private void outOfRange(TopicPartition partition, Long offset) {
        HeldLane lane = lanes.get(partition);
        if (lane != null) {
            log.info("Lane {}: offset {} doesn't exist in Kafka (any more)", LaneNames.of(partition), offset);
            lane.outOfRange();
        }
    }

    private void end(Exception thrown, MessageListenerContainer container) {
        // First of all, so that no lane gets records behind a gap.
        lanes.close();
        log.error(
                "The consumer of group '{}' failed; it is replaced, and its lanes are assigned anew",
                settings.groupId(),
                thrown);
        trouble.found("The consumer of group '" + settings.groupId() + "' at " + settings.bootstrapServers()
                + " failed: " + Trouble.rootOf(thrown) + ". It is replaced again and again until that works");
        container.stopAbnormally(() -> {});
    }

    private static void pause(MessageListenerContainer container) {
        try {
            ListenerUtils.stoppableSleep(container, PAUSE.toMillis());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }
}
