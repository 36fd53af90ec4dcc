package io.github.tandemstreams.kafka;

import io.github.tandemstreams.source.LaneIntake;
import io.github.tandemstreams.source.RawRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * One assignment of a partition to this consumer. Until its intake has asked for a seek, the consumer stands at a
 * placeholder there, and nothing of the partition may be read or told.
 *
 * <p>Threading: the consumer's thread only.
 */
final class HeldLane {

    final TopicPartition partition;
    private final LaneIntake intake;
    private OptionalLong sought = OptionalLong.empty();
    private boolean open;

    /** Whether it was sought or read since its position was told. */
    private boolean moved;

    /** The end of the log as the consumer knew it when it was looked at last. */
    private OptionalLong knownEnd = OptionalLong.empty();

    HeldLane(TopicPartition partition, LaneIntake intake) {
        this.partition = partition;
        this.intake = intake;
    }

    /** Seeks if the intake asks for it. If the consumer throws, the seek is still due before the next poll. */
    void seekIfAsked(Consumer<?, ?> consumer) {
        OptionalLong asked = intake.takeSeek();
        if (asked.isPresent()) {
            sought = asked;
            open = false;
        }
        if (sought.isPresent()) {
            long offset = sought.getAsLong();
            consumer.seek(partition, offset);
            sought = OptionalLong.empty();
            open = true;
            moved = true;
            intake.opened(offset);
        }
    }

    /**
     * Tells the intake how far the consumer has read, if it has; all records below that were handed over before. Past
     * markers and aborted records it moves unnoticed: that is told with the end of the log.
     */
    void tellPosition(Consumer<?, ?> consumer, boolean withLogEnd) {
        if (!open || !(moved || withLogEnd)) {
            return;
        }
        OptionalLong position = position(consumer);
        if (position.isPresent()) {
            moved = false;
            long reached = position.getAsLong();
            // Of a partition that isn't read the consumer knows an end that gets older and older.
            boolean mayBeNew = withLogEnd && intake.wantsMore();
            intake.reached(reached, mayBeNew ? newEnd(consumer, reached) : OptionalLong.empty());
        }
    }

    boolean wantsMore() {
        return open && intake.wantsMore();
    }

    void accept(List<RawRecord> records) {
        if (open) {
            moved = true;
            intake.accept(records);
        }
    }

    /** The offset sought doesn't exist. The lane stays paused until the intake asks for another one. */
    void outOfRange() {
        open = false;
        intake.outOfRange();
    }

    Optional<LaneIntake.Progress> progress() {
        return intake.progress();
    }

    private OptionalLong position(Consumer<?, ?> consumer) {
        try {
            // After a change of leader the position may have to be validated first: then it's told before a later poll.
            return OptionalLong.of(consumer.position(partition, Duration.ZERO));
        } catch (TimeoutException notValidYet) {
            return OptionalLong.empty();
        }
    }

    /**
     * The end of the log if the brokers told another one since the last look. Whether they told the same one again, or can't
     * be reached, nobody can say: the consumer keeps what it heard last.
     */
    private OptionalLong newEnd(Consumer<?, ?> consumer, long position) {
        OptionalLong before = knownEnd;
        knownEnd = logEnd(consumer, position);
        return knownEnd.equals(before) ? OptionalLong.empty() : knownEnd;
    }

    private OptionalLong logEnd(Consumer<?, ?> consumer, long position) {
        OptionalLong lag = consumer.currentLag(partition);
        return lag.isPresent() ? OptionalLong.of(position + lag.getAsLong()) : lag;
    }
}
