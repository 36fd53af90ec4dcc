package io.github.tandemstreams.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.GroupProtocol;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How to read Kafka: the application's consumer properties, with those that the promise rests on put over them.
 *
 * @param application the application's consumer properties: connection, security, fetch sizes, group protocol
 */
record ConsumerSettings(
        Set<String> topics,
        String groupId,
        String clientId,
        Map<String, Object> application,
        IsolationLevel isolationLevel,
        int maxPollRecords,
        Duration pollTimeout) {

    private static final Logger log = LoggerFactory.getLogger(ConsumerSettings.class);

    /** How long a question to the brokers may take, unless the application says otherwise. */
    private static final int API_TIMEOUT_MS = 10_000;

    /**
     * How long a broker holds a fetch that finds nothing, unless the application says otherwise. Only one fetch is on its
     * way to a broker: while a busy lane is paused, it asks for the idle lanes, and then the busy one waits for its end.
     * With Kafka's 500 ms, lanes that are paused now and then read at a quarter of the speed. A seek waits for it too.
     */
    private static final int FETCH_MAX_WAIT_MS = 100;

    /**
     * How often a member of a classic group asks whether there is a rebalance, unless the application says otherwise. A
     * member that leaves is heard of only then, and its lanes stand still until then: with Kafka's 3 s they often did for
     * longer than anything else takes.
     */
    private static final int HEARTBEAT_INTERVAL_MS = 500;

    private static final int SESSION_TIMEOUT_MS = 45_000;

    /** What each group protocol refuses to start with. */
    private static final List<String> REFUSED_BY_CONSUMER_PROTOCOL = List.of(
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
            ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
            ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG);

    private static final List<String> REFUSED_BY_CLASSIC_PROTOCOL =
            List.of(ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG);

    ConsumerSettings {
        require(!topics.isEmpty(), "A Kafka source needs a topic");
        require(!groupId.isBlank(), "A Kafka source needs a group id");
        require(!clientId.isBlank(), "A Kafka source needs a client id prefix");
        require(maxPollRecords > 0, "max poll records must be positive");
        require(pollTimeout.toMillis() > 0, "The poll timeout must be at least a millisecond");
        topics = Set.copyOf(topics);
        application = withoutNulls(application);
        require(
                application.containsKey(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG),
                "A Kafka source needs bootstrap.servers in its consumer properties");
    }

    /** The properties that a consumer is created with. */
    Map<String, Object> consumer() {
        Map<String, Object> properties = new HashMap<>(application);
        properties.putIfAbsent(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_MAX_WAIT_MS);
        dropRefused(properties);
        if (isClassic()) {
            int session = number(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_TIMEOUT_MS);
            properties.putIfAbsent(
                    ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, Math.min(HEARTBEAT_INTERVAL_MS, session / 3));
        }
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, groupId);
        properties.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId);
        properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        // The position comes from Postgres alone: nothing is committed behind our back, nothing is reset in silence.
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, maxPollRecords);
        properties.put(
                ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolationLevel.toString().toLowerCase(Locale.ROOT));
        return properties;
    }

    /** The properties that an admin client is created with: the same brokers, the same credentials. */
    Map<String, Object> admin() {
        Map<String, Object> properties = new HashMap<>(application);
        Set<String> consumersOnly = new LinkedHashSet<>(ConsumerConfig.configNames());
        consumersOnly.removeAll(AdminClientConfig.configNames());
        // What neither of the two knows stays: it may belong to a login module.
        properties.keySet().removeAll(consumersOnly);
        int apiTimeout = apiTimeoutMs();
        properties.put(AdminClientConfig.CLIENT_ID_CONFIG, clientId + "-admin");
        properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, apiTimeout);
        properties.put(
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                Math.min(apiTimeout, number(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, API_TIMEOUT_MS)));
        return properties;
    }

    int apiTimeoutMs() {
        return number(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, API_TIMEOUT_MS);
    }

    /** For messages. */
    String bootstrapServers() {
        Object servers = application.get(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG);
        return servers instanceof Collection<?> several
                ? several.stream().map(String::valueOf).collect(Collectors.joining(","))
                : String.valueOf(servers);
    }

    private void dropRefused(Map<String, Object> properties) {
        boolean classic = isClassic();
        for (String name : classic ? REFUSED_BY_CLASSIC_PROTOCOL : REFUSED_BY_CONSUMER_PROTOCOL) {
            if (properties.remove(name) != null) {
                log.info(
                        "Consumer group '{}': property {} is left out, the {} group protocol doesn't know it",
                        groupId,
                        name,
                        classic ? "classic" : "consumer");
            }
        }
    }

    private boolean isClassic() {
        return GroupProtocol.CLASSIC
                .name()
                .equalsIgnoreCase(String.valueOf(application.getOrDefault(
                        ConsumerConfig.GROUP_PROTOCOL_CONFIG, ConsumerConfig.DEFAULT_GROUP_PROTOCOL)));
    }

    private int number(String name, int otherwise) {
        Object value = application.get(name);
        if (value instanceof Duration duration) {
            return Math.toIntExact(duration.toMillis());
        }
        return value == null ? otherwise : Integer.parseInt(value.toString().trim());
    }

    private static Map<String, Object> withoutNulls(Map<String, Object> properties) {
        Map<String, Object> copy = new HashMap<>(properties);
        copy.values().removeIf(value -> value == null);
        return Map.copyOf(copy);
    }

    private static void require(boolean valid, String message) {
        if (!valid) {
            throw new IllegalArgumentException(message);
        }
    }
}
