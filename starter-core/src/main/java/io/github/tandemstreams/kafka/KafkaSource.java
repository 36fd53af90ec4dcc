package io.github.tandemstreams.kafka;

import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StartingOffsets;
import io.github.tandemstreams.source.LaneBounds;
import io.github.tandemstreams.source.LaneListener;
import io.github.tandemstreams.source.LaneStart;
import io.github.tandemstreams.source.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.IsolationLevel;
import org.jspecify.annotations.Nullable;

/**
 * Kafka topics as a source. Each topic-partition is a lane, called {@code flights-3}; Kafka's consumer group spreads the
 * lanes over the instances, and spring-kafka's listener container does the polling. Where a lane is read from is never
 * Kafka's business: the offsets that are committed to the group serve lag tools only.
 *
 * <p>These consumer properties are the source's own, whatever the application sets: group and client id, deserializers,
 * auto-commit, offset reset, isolation level, max.poll.records. Both group protocols work, {@code classic} and
 * {@code consumer}.
 *
 * <p>Threading: the listener is called on the consumer's thread, and for what is left when that has ended, on the one that
 * calls {@link #stop()}. {@link #start} and {@link #stop} may be called from any thread, and again after each other.
 *
 * <p>Errors: brokers that can't be reached are waited for. A consumer that fails is replaced by another one, without end,
 * and the listener hears of the trouble once.
 */
public final class KafkaSource implements Source {

    /** Records that one poll returns at most. */
    public static final int DEFAULT_MAX_POLL_RECORDS = 1_000;

    /** How long a poll waits for records: what a new assignment of the consumer protocol may wait for at most, too. */
    public static final Duration DEFAULT_POLL_TIMEOUT = Duration.ofMillis(100);

    private final ConsumerSettings settings;
    private final AdminConnection connection;
    private final StartResolver resolver;
    private volatile @Nullable Poller poller;

    private KafkaSource(ConsumerSettings settings) {
        this.settings = settings;
        this.connection = new AdminConnection(settings);
        this.resolver = new StartResolver(connection, settings);
    }

    /** A source that reads these topics as a member of a consumer group. */
    public static Builder builder(Collection<String> topics, String groupId) {
        return new Builder(topics, groupId);
    }

    @Override
    public Set<String> topics() {
        return settings.topics();
    }

    @Override
    public Map<String, String> settled() {
        return Map.of("isolation-level", settings.isolationLevel().toString().toLowerCase(Locale.ROOT));
    }

    @Override
    public Map<String, LaneStart> resolve(Collection<String> topics, StartingOffsets startingOffsets) {
        return resolver.resolve(topics, startingOffsets);
    }

    @Override
    public Map<String, Supplier<LaneBounds>> bounds(Collection<String> lanes) {
        return resolver.bounds(lanes);
    }

    @Override
    public Map<String, Supplier<Offsets>> ends(Collection<String> lanes) {
        return resolver.ends(lanes);
    }

    @Override
    public Offsets at(@Nullable String lane, Instant time) {
        return lane == null ? resolver.at(settings.topics(), time) : resolver.at(lane, time);
    }

    @Override
    public synchronized void start(LaneListener listener) {
        if (poller != null) {
            throw new IllegalStateException("The source of topics " + topics() + " is started already");
        }
        Poller started = new Poller(settings, listener);
        poller = started;
        started.start();
    }

    @Override
    public synchronized void stop() {
        Poller running = poller;
        poller = null;
        if (running != null) {
            running.stop();
        }
        connection.close();
    }

    @Override
    public void wakeUp() {
        Poller running = poller;
        if (running != null) {
            running.wakeUp();
        }
    }

    @Override
    public String toString() {
        return "Kafka topics " + topics() + ", group '" + settings.groupId() + "'";
    }

    /** Builds a source. */
    public static final class Builder {

        private final Set<String> topics;
        private final String groupId;
        private String clientIdPrefix;
        private Map<String, Object> consumerProperties = Map.of();
        private IsolationLevel isolationLevel = IsolationLevel.READ_COMMITTED;
        private int maxPollRecords = DEFAULT_MAX_POLL_RECORDS;
        private Duration pollTimeout = DEFAULT_POLL_TIMEOUT;

        private Builder(Collection<String> topics, String groupId) {
            this.topics = new LinkedHashSet<>(topics);
            this.groupId = groupId;
            this.clientIdPrefix = groupId;
        }

        /** The application's consumer properties: bootstrap.servers at least; security, fetch sizes, group.protocol. */
        public Builder consumerProperties(Map<String, Object> properties) {
            this.consumerProperties = properties;
            return this;
        }

        /** How the clients are called in the brokers' metrics and in thread names. Default: the group id. */
        public Builder clientIdPrefix(String prefix) {
            this.clientIdPrefix = prefix;
            return this;
        }

        /** Whether records of open and aborted transactions are read. Default: {@code read_committed}. */
        public Builder isolationLevel(IsolationLevel level) {
            this.isolationLevel = level;
            return this;
        }

        /** How many records a poll returns at most. Default: {@value KafkaSource#DEFAULT_MAX_POLL_RECORDS}. */
        public Builder maxPollRecords(int records) {
            this.maxPollRecords = records;
            return this;
        }

        /** How long a poll waits for records. Default: 100 ms. */
        public Builder pollTimeout(Duration timeout) {
            this.pollTimeout = timeout;
            return this;
        }

        /** @throws IllegalArgumentException if something is missing or out of range */
        public KafkaSource build() {
            return new KafkaSource(new ConsumerSettings(
                    topics, groupId, clientIdPrefix, consumerProperties, isolationLevel, maxPollRecords, pollTimeout));
        }
    }
}
