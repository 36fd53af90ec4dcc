package io.github.tandemstreams.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;

/** Which properties are the application's, and which are not. */
class ConsumerSettingsTest {

    private final Map<String, Object> application =
            new HashMap<>(Map.of("bootstrap.servers", List.of("one:9092", "two:9092")));

    @Test
    void whatThePromiseRestsOnIsOurs() {
        application.putAll(Map.of(
                "group.id", "theirs",
                "client.id", "theirs",
                "value.deserializer", StringDeserializer.class,
                "enable.auto.commit", "true",
                "auto.offset.reset", "latest",
                "isolation.level", "read_uncommitted",
                "max.poll.records", "7",
                "allow.auto.create.topics", "true"));
        assertThat(settings().consumer())
                .containsEntry("group.id", "ours")
                .containsEntry("client.id", "ours-client")
                .containsEntry("key.deserializer", ByteArrayDeserializer.class)
                .containsEntry("value.deserializer", ByteArrayDeserializer.class)
                .containsEntry("enable.auto.commit", false)
                .containsEntry("auto.offset.reset", "none")
                .containsEntry("isolation.level", "read_committed")
                .containsEntry("max.poll.records", 500)
                .containsEntry("allow.auto.create.topics", false);
    }

    @Test
    void theRestIsTheApplications() {
        assertThat(settings().consumer()).containsEntry("fetch.max.wait.ms", 100);
        application.put("fetch.max.wait.ms", 300);
        application.put("security.protocol", "SASL_SSL");
        application.put("client.rack", null);
        assertThat(settings().consumer())
                .containsEntry("fetch.max.wait.ms", 300)
                .containsEntry("security.protocol", "SASL_SSL")
                .doesNotContainKey("client.rack");
    }

    @Test
    void eachGroupProtocolGetsWhatItKnows() {
        application.putAll(Map.of(
                ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                10_000,
                ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
                1_000,
                ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                "org.example.Assignor",
                ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG,
                "range"));
        assertThat(settings().consumer())
                .containsKeys("session.timeout.ms", "heartbeat.interval.ms", "partition.assignment.strategy")
                .doesNotContainKey("group.remote.assignor");
        application.put("group.protocol", "consumer");
        assertThat(settings().consumer())
                .doesNotContainKeys("session.timeout.ms", "heartbeat.interval.ms", "partition.assignment.strategy")
                .containsEntry("group.remote.assignor", "range");
    }

    @Test
    void aClassicGroupIsAskedOftenWhetherAMemberLeft() {
        assertThat(settings().consumer()).containsEntry("heartbeat.interval.ms", 500);
        application.put("session.timeout.ms", 600);
        assertThat(settings().consumer()).containsEntry("heartbeat.interval.ms", 200);
        application.put("heartbeat.interval.ms", 100);
        assertThat(settings().consumer()).containsEntry("heartbeat.interval.ms", 100);
        application.remove("heartbeat.interval.ms");
        application.put("group.protocol", "consumer");
        assertThat(settings().consumer()).doesNotContainKey("heartbeat.interval.ms");
    }

    @Test
    void theAdminClientGoesWhereTheConsumerGoes() {
        application.putAll(Map.of(
                "security.protocol", "SASL_SSL",
                "sasl.jaas.config", "secret",
                "interceptor.classes", "org.example.ConsumerInterceptor",
                "login.module.own", "kept",
                "default.api.timeout.ms", Duration.ofSeconds(4)));
        assertThat(settings().admin())
                .containsEntry("bootstrap.servers", List.of("one:9092", "two:9092"))
                .containsEntry("security.protocol", "SASL_SSL")
                .containsEntry("sasl.jaas.config", "secret")
                .containsEntry("login.module.own", "kept")
                .containsEntry("client.id", "ours-client-admin")
                .containsEntry(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 4_000)
                .containsEntry(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 4_000)
                .doesNotContainKeys("interceptor.classes", "value.deserializer");
        assertThat(settings().bootstrapServers()).isEqualTo("one:9092,two:9092");
    }

    @Test
    void whatCantWorkIsRefused() {
        application.clear();
        assertThatThrownBy(this::settings).hasMessageContaining("bootstrap.servers");
    }

    @Test
    void laneNamesAreReadBackWhateverTheTopicIsCalled() {
        for (String topic : List.of("flights", "a-1", "2024", "flights-", "x-1-2")) {
            TopicPartition partition = new TopicPartition(topic, 12);
            assertThat(LaneNames.partition(LaneNames.of(partition))).isEqualTo(partition);
        }
        for (String none : List.of("flights", "flights-x", "-1", "flights-")) {
            assertThatThrownBy(() -> LaneNames.partition(none)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private ConsumerSettings settings() {
        return new ConsumerSettings(
                Set.of("flights"),
                "ours",
                "ours-client",
                application,
                IsolationLevel.READ_COMMITTED,
                500,
                Duration.ofMillis(100));
    }
}
