package io.github.tandemstreams.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.devservices.DevServicesAutoConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.json.JsonMapper;

/** The sample as a publisher, in a process of its own: with a broker, and no database anywhere. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class PublisherOnlyTest {

    private static final int PARTITIONS = 4;

    private final JsonMapper json = new JsonMapper();

    @Test
    void publishesEachLineOnceInOrderKeyedByOriginAndEnds(@TempDir Path directory) throws Exception {
        FlightGenerator generator = new FlightGenerator();
        List<String> flights = IntStream.range(0, 500)
                .mapToObj(i -> json.writeValueAsString(generator.next()))
                .toList();
        Path file = Files.write(directory.resolve("flights.jsonl"), flights);

        try (ConfigurableApplicationContext broker = broker()) {
            List<String> servers = broker.getBean(KafkaConnectionDetails.class).getBootstrapServers();
            Path log = directory.resolve("log");
            Process publisher = publisher(servers, file, log);
            assertThat(publisher.waitFor(100, TimeUnit.SECONDS)).isTrue();
            assertThat(publisher.exitValue()).as(Files.readString(log)).isZero();
            assertThat(Files.readString(log)).contains("publisher only").contains("Published 500 flights");

            List<ConsumerRecord<String, String>> records = all(servers, flights.size());
            assertThat(records).extracting(ConsumerRecord::value).containsExactlyInAnyOrderElementsOf(flights);
            assertThat(records).allMatch(record -> record.key().equals(origin(record.value())));
            for (String airport :
                    records.stream().map(ConsumerRecord::key).distinct().toList()) {
                assertThat(records.stream().filter(record -> record.key().equals(airport)))
                        .extracting(ConsumerRecord::value)
                        .containsExactlyElementsOf(flights.stream()
                                .filter(line -> origin(line).equals(airport))
                                .toList());
            }
        }
    }

    private static ConfigurableApplicationContext broker() {
        return new SpringApplicationBuilder(DevServicesAutoConfiguration.class)
                .web(WebApplicationType.NONE)
                .properties("spring.datasource.url=jdbc:postgresql://localhost:1/none")
                .run();
    }

    private static Process publisher(List<String> servers, Path file, Path log) throws Exception {
        return new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        SampleApplication.class.getName(),
                        "--spring.kafka.bootstrap-servers=" + String.join(",", servers),
                        "--tandem.dev-services.enabled=false",
                        "--sample.partitions=" + PARTITIONS,
                        "--sample.publish=file",
                        "--sample.flights-file=" + file,
                        "--sample.consume=false",
                        "--sample.exit-when-caught-up=true",
                        "--logging.level.io.github.tandemstreams=info")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** What the topic holds, partition by partition, and nothing more. */
    private static List<ConsumerRecord<String, String>> all(List<String> servers, int expected) {
        List<ConsumerRecord<String, String>> records = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers), new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = IntStream.range(0, PARTITIONS)
                    .mapToObj(partition -> new TopicPartition(FlightTopic.NAME, partition))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            assertThat(consumer.partitionsFor(FlightTopic.NAME)).hasSize(PARTITIONS);
            long ends = consumer.endOffsets(partitions).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            assertThat(ends).isEqualTo(expected);
            while (records.size() < expected) {
                consumer.poll(Duration.ofSeconds(1)).forEach(records::add);
            }
        }
        return records;
    }

    private String origin(String line) {
        return json.readValue(line, Flight.class).origin();
    }
}
