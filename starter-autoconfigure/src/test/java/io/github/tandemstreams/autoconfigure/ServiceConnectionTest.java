package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.test.KafkaBroker;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** An application whose database is a container that Spring Boot was told of: no URL stands anywhere. */
@Testcontainers(disabledWithoutDocker = true)
@SpringBootTest(
        classes = ServiceConnectionTest.App.class,
        properties = {
            "spring.autoconfigure.exclude=org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
                    + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration",
            "spring.flyway.enabled=false",
            "spring.liquibase.enabled=false"
        })
class ServiceConnectionTest {

    private static final String TOPIC = KafkaBroker.shared().newTopic(2);

    @Container
    @ServiceConnection
    static final PostgreSQLContainer POSTGRES = new PostgreSQLContainer(
                    DockerImageName.parse(Optional.ofNullable(System.getenv("TANDEM_TEST_POSTGRES_IMAGE"))
                                    .orElse("postgres:17-alpine"))
                            .asCompatibleSubstituteFor("postgres"))
            .withCommand("postgres");

    @DynamicPropertySource
    static void broker(DynamicPropertyRegistry properties) {
        properties.add(
                "spring.kafka.bootstrap-servers", () -> KafkaBroker.shared().bootstrapServers());
        properties.add("tandem.streams.words.topics", () -> TOPIC);
    }

    @Autowired
    JdbcTemplate jdbc;

    @Test
    void checkpointAndSinkAreInTheContainer() {
        IntStream.range(0, 100)
                .forEach(i -> KafkaBroker.shared()
                        .producer()
                        .send(new ProducerRecord<>(TOPIC, i % 2, null, ("word-" + i).getBytes())));
        KafkaBroker.shared().producer().flush();

        await().atMost(Duration.ofSeconds(60))
                .until(() -> jdbc.queryForObject("select count(*) from word", Integer.class) >= 100);

        assertThat(jdbc.queryForObject("select count(distinct word) from word", Integer.class))
                .isEqualTo(100);
        assertThat(jdbc.queryForObject("select count(*) from word", Integer.class))
                .isEqualTo(100);
        assertThat(jdbc.queryForObject("select sum(next_offset) from tandem.lane_position", Long.class))
                .isEqualTo(100);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {

        @Bean
        Words words(JdbcTemplate jdbc) {
            jdbc.execute("create table word (word text)");
            return new Words(jdbc);
        }
    }

    static class Words {

        private final JdbcTemplate jdbc;

        Words(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @ForeachBatch("words")
        void write(Batch<String> words) {
            words.forEach(word -> jdbc.update("insert into word values (?)", word));
        }
    }
}
