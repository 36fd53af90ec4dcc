package io.github.tandemstreams.kafka;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;

/** The consumer, with what must be known about its polls before the container hears of it. */
final class LaneConsumer extends KafkaConsumer<byte[], byte[]> {

    /** For a last commit and a good-bye to the group. Without brokers there's nobody to wait for. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final HeldLanes lanes;
    private final Trouble trouble;

    LaneConsumer(Map<String, Object> properties, HeldLanes lanes, Trouble trouble) {
        super(properties);
        this.lanes = lanes;
        this.trouble = trouble;
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        try {
            return super.poll(timeout);
        } catch (NoOffsetForPartitionException early) {
            // Under the consumer protocol Kafka's own thread may look for the committed offset of a new partition
            // before
            // the callback has put it at its placeholder; the container would stop for good. The callback runs at the
            // beginning of the next poll.
            if (early.partitions().stream().anyMatch(partition -> lanes.get(partition) != null)) {
                throw early;
            }
            return ConsumerRecords.empty();
        } catch (AuthenticationException | AuthorizationException refused) {
            trouble.refused(refused);
            throw refused;
        }
    }

    /** The container does this before it closes. To close does the same, and has a limit. */
    @Override
    public void unsubscribe() {
        // see above
    }

    @Override
    public void close() {
        close(CloseOptions.timeout(CLOSE_TIMEOUT));
    }
}
