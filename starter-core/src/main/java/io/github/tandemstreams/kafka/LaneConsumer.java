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

    /** In a row. It should be one. */
    private static final int MAX_TOO_EARLY = 100;

    private final Trouble trouble;
    private int tooEarly;

    LaneConsumer(Map<String, Object> properties, Trouble trouble) {
        super(properties);
        this.trouble = trouble;
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        try {
            ConsumerRecords<byte[], byte[]> records = super.poll(timeout);
            tooEarly = 0;
            return records;
        } catch (NoOffsetForPartitionException early) {
            // Under the consumer protocol Kafka's own thread may look for the committed offset of a new partition
            // before
            // the callback has put it at its placeholder, and tell so before or after that. The container would stop
            // for
            // good, the next poll finds the placeholder.
            if (++tooEarly > MAX_TOO_EARLY) {
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
