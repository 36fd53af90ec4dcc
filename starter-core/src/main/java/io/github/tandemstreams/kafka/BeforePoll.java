package io.github.tandemstreams.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.springframework.kafka.listener.BatchInterceptor;

/**
 * Runs on the consumer's thread before every poll, and does there whatever lanes ask of the consumer: seek, pause, resume,
 * tell the position, commit to the group. Level-triggered: each time it looks at what the lanes want now. Edges sent from
 * another thread get lost between the container's own check and its poll.
 *
 * <p>An exception thrown here (a wake-up, say) ends this turn only; the next one makes up for what was left out.
 */
final class BeforePoll implements BatchInterceptor<byte[], byte[]> {

    /**
     * The end of the log is for lag only, and costs a round trip between threads under the consumer protocol. Of a lane that
     * wasn't read, its position is asked no more often either: there may be a thousand of them.
     */
    private static final long LOG_END_EVERY_NANOS = Duration.ofMillis(200).toNanos();

    private final HeldLanes lanes;
    private final GroupOffsets groupOffsets;
    private final Trouble trouble;
    private final AtomicBoolean wakeUpAsked;
    private long logEndTold = System.nanoTime() - LOG_END_EVERY_NANOS;

    BeforePoll(HeldLanes lanes, GroupOffsets groupOffsets, Trouble trouble, AtomicBoolean wakeUpAsked) {
        this.lanes = lanes;
        this.groupOffsets = groupOffsets;
        this.trouble = trouble;
        this.wakeUpAsked = wakeUpAsked;
    }

    @Override
    public void setupThreadState(Consumer<?, ?> consumer) {
        // Before the look at the lanes: what changes after it wakes the poll again.
        wakeUpAsked.set(false);
        trouble.polling();
        try {
            seekAndTell(consumer);
            pauseAndResume(consumer);
            groupOffsets.commitNowAndThen(consumer, lanes.all());
        } catch (AuthenticationException | AuthorizationException refused) {
            trouble.refused(refused);
            throw refused;
        }
    }

    @Override
    public ConsumerRecords<byte[], byte[]> intercept(
            ConsumerRecords<byte[], byte[]> records, Consumer<byte[], byte[]> consumer) {
        return records;
    }

    private void seekAndTell(Consumer<?, ?> consumer) {
        boolean withLogEnd = System.nanoTime() - logEndTold >= LOG_END_EVERY_NANOS;
        for (HeldLane lane : lanes.all()) {
            lane.seekIfAsked(consumer);
            lane.tellPosition(consumer, withLogEnd);
        }
        if (withLogEnd) {
            logEndTold = System.nanoTime();
        }
    }

    private void pauseAndResume(Consumer<?, ?> consumer) {
        Set<TopicPartition> paused = consumer.paused();
        List<TopicPartition> toPause = new ArrayList<>();
        List<TopicPartition> toResume = new ArrayList<>();
        for (HeldLane lane : lanes.all()) {
            boolean wantsMore = lane.wantsMore();
            if (wantsMore == paused.contains(lane.partition)) {
                (wantsMore ? toResume : toPause).add(lane.partition);
            }
        }
        if (!toPause.isEmpty()) {
            consumer.pause(toPause);
        }
        if (!toResume.isEmpty()) {
            consumer.resume(toResume);
        }
    }
}
