package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.OnFailure;
import io.github.tandemstreams.StartingOffsets;
import io.github.tandemstreams.StreamOperations;
import io.github.tandemstreams.Tombstones;
import io.github.tandemstreams.Trigger;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.unit.DataSize;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code tandem.*} binds to, and what is told about it to editors. */
class TandemPropertiesTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(TandemAutoConfiguration.class))
            .withBean("tandemStreams", StreamOperations.class, GivenStreams::new);

    @Test
    void nothingSetIsNothingSaid() {
        bound(properties -> {
            assertThat(properties.enabled()).isTrue();
            assertThat(properties.schema()).isEqualTo(new TandemProperties.Schema("tandem", true, null, null, null));
            StreamProperties stream = properties.stream("orders");
            assertThat(stream.isEnabled()).isTrue();
            assertThat(stream.isAutoStartup()).isTrue();
            assertThat(stream)
                    .extracting(
                            StreamProperties::topics,
                            StreamProperties::trigger,
                            StreamProperties::startingOffsets,
                            StreamProperties::maxBytesPerBatch,
                            StreamProperties::concurrency)
                    .containsOnlyNulls();
        });
    }

    @Test
    void aStreamsOwnSettingsGoOverTheDefaults() {
        bound(
                properties -> {
                    StreamProperties orders = properties.stream("orders");
                    assertThat(orders.maxRecordsPerBatch()).isEqualTo(7);
                    assertThat(orders.concurrency()).isEqualTo(4);
                    assertThat(orders.trigger()).isEqualTo(Trigger.asSoonAsPossible());
                    assertThat(orders.backoff())
                            .isEqualTo(new StreamProperties.Backoff(Duration.ofMillis(5), Duration.ofSeconds(9)));
                    assertThat(orders.properties())
                            .containsExactlyInAnyOrderEntriesOf(Map.of("fetch.min.bytes", "2", "client.rack", "a"));
                    StreamProperties other = properties.stream("other");
                    assertThat(other.maxRecordsPerBatch()).isEqualTo(50);
                    assertThat(other.trigger()).isEqualTo(Trigger.processingTime(Duration.ofSeconds(10)));
                },
                "tandem.defaults.max-records-per-batch=50",
                "tandem.defaults.concurrency=4",
                "tandem.defaults.trigger=10s",
                "tandem.defaults.backoff.initial=1ms",
                "tandem.defaults.backoff.max=9s",
                "tandem.defaults.properties[fetch.min.bytes]=1",
                "tandem.defaults.properties[client.rack]=a",
                "tandem.streams.orders.max-records-per-batch=7",
                "tandem.streams.orders.trigger=as-soon-as-possible",
                "tandem.streams.orders.backoff.initial=5ms",
                "tandem.streams.orders.properties[fetch.min.bytes]=2");
    }

    @Test
    void everySettingBinds() {
        bound(
                properties -> assertThat(properties.stream("orders.eu"))
                        .isEqualTo(new StreamProperties(
                                true,
                                false,
                                List.of("a", "b"),
                                "group",
                                new StartingOffsets.AtTimestamp(Instant.parse("2026-01-31T00:00:00Z")),
                                Trigger.processingTime(Duration.ofMinutes(1)),
                                10,
                                StreamProperties.BatchSizing.ADAPTIVE,
                                Duration.ofSeconds(2),
                                DataSize.ofMegabytes(1),
                                DataSize.ofKilobytes(5),
                                3,
                                5,
                                OnFailure.STOP,
                                7,
                                new StreamProperties.DeadLetter(true, Duration.ofDays(30)),
                                new StreamProperties.Backoff(Duration.ofMillis(100), Duration.ofMinutes(1)),
                                false,
                                Tombstones.SKIP,
                                Duration.ofSeconds(30),
                                1000,
                                IsolationLevel.READ_UNCOMMITTED,
                                "dataSource",
                                "transactionManager",
                                LongDeserializer.class,
                                Map.of("group.protocol", "consumer"))),
                prefixed(
                        "tandem.streams[orders.eu].",
                        "enabled=true",
                        "auto-startup=false",
                        "topics=a,b",
                        "group-id=group",
                        "starting-offsets=timestamp:2026-01-31T00:00:00Z",
                        "trigger=PT1M",
                        "max-records-per-batch=10",
                        "batch-sizing=adaptive",
                        "target-batch-duration=2s",
                        "max-bytes-per-batch=1MB",
                        "max-buffered-bytes=5KB",
                        "concurrency=3",
                        "max-attempts=5",
                        "on-failure=stop",
                        "max-consecutive-dead-letters=7",
                        "dead-letter.hold-key=true",
                        "dead-letter.retention=30d",
                        "backoff.initial=100ms",
                        "backoff.max=1m",
                        "fail-on-data-loss=false",
                        "tombstones=skip",
                        "transaction-timeout=30s",
                        "batches-to-retain=1000",
                        "isolation-level=read_uncommitted",
                        "data-source=dataSource",
                        "transaction-manager=transactionManager",
                        "value-deserializer=" + LongDeserializer.class.getName(),
                        "properties[group.protocol]=consumer"));
    }

    @Test
    void startingOffsetsAndTriggersHaveAWordForEachKind() {
        bound(
                properties -> {
                    assertThat(properties.stream("a").startingOffsets()).isEqualTo(new StartingOffsets.Earliest());
                    assertThat(properties.stream("b").startingOffsets()).isEqualTo(new StartingOffsets.Latest());
                    assertThat(properties.stream("c").startingOffsets()).isEqualTo(new StartingOffsets.OfGroup("old"));
                },
                "tandem.streams.a.starting-offsets=earliest",
                "tandem.streams.b.starting-offsets=latest",
                "tandem.streams.c.starting-offsets=group:old");
    }

    @Test
    void aPasswordIsNotPrinted() {
        assertThat(new TandemProperties.Schema("tandem", true, "jdbc:postgresql:db?password=secret", "me", "secret"))
                .asString()
                .doesNotContain("secret");
    }

    @Test
    void everyPropertyHasADescriptionByTheRulesOfSpringBoot() throws IOException {
        TreeMap<String, String> descriptions = new TreeMap<>();
        for (JsonNode property : metadata().get("properties")) {
            JsonNode description = property.get("description");
            descriptions.put(property.get("name").asString(), description == null ? "" : description.asString());
        }

        assertThat(descriptions).hasSize(40).allSatisfy((name, description) -> {
            assertThat(name).matches("(management\\.endpoint\\.)?tandem\\..*");
            assertThat(description)
                    .as(name)
                    .isNotEmpty()
                    .endsWith(".")
                    .doesNotStartWith("The ")
                    .doesNotStartWith("A ");
            assertThat(description.charAt(0)).as(name).isUpperCase();
        });
    }

    @Test
    void hintsAreForPropertiesThatExist() throws IOException {
        List<String> names = metadata()
                .get("properties")
                .valueStream()
                .map(property -> property.get("name").asString())
                .toList();

        assertThat(metadata()
                        .get("hints")
                        .valueStream()
                        .map(hint -> hint.get("name").asString()))
                .hasSize(5)
                .allSatisfy(hint -> assertThat(names).contains(hint));
    }

    private static JsonNode metadata() throws IOException {
        String file = "/META-INF/spring-configuration-metadata.json";
        try (InputStream json = TandemProperties.class.getResourceAsStream(file)) {
            return JsonMapper.shared().readTree(json);
        }
    }

    private void bound(Consumer<TandemProperties> expectations, String... properties) {
        runner.withPropertyValues(properties).run(context -> {
            assertThat(context).hasNotFailed();
            expectations.accept(context.getBean(TandemProperties.class));
        });
    }

    private static String[] prefixed(String prefix, String... properties) {
        return Arrays.stream(properties).map(prefix::concat).toArray(String[]::new);
    }
}
