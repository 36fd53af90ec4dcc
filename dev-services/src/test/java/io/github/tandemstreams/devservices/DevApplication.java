package io.github.tandemstreams.devservices;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * An application in development. As a process of its own it writes a row and a record, says so together with the
 * addresses and the Postgres' process, and waits for its end.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class DevApplication {

    static final String QUIET = "--spring.main.banner-mode=off";
    static final String READY = "READY";
    static final String LAST_WORDS = "The database was there to the end";
    static final String TOPIC = "kept";

    public static void main(String[] args) throws Exception {
        ConfigurableApplicationContext context = SpringApplication.run(DevApplication.class, args);
        write(context);
        System.out.println(READY + " " + postmaster(context));
        Thread.sleep(Duration.ofMinutes(5).toMillis());
    }

    /** In this process. */
    static ConfigurableApplicationContext run(String... arguments) {
        SpringApplication application = new SpringApplication(DevApplication.class);
        application.setRegisterShutdownHook(false);
        return application.run(
                Stream.concat(Stream.of(QUIET), Stream.of(arguments)).toArray(String[]::new));
    }

    /** Stops slowly, and needs the database to the end. */
    @Bean
    @ConditionalOnBooleanProperty("last-words")
    SmartLifecycle lastWords(DataSource dataSource) {
        return new SmartLifecycle() {
            private boolean running;

            @Override
            public void start() {
                running = true;
            }

            @Override
            public void stop() {
                running = false;
                try {
                    Thread.sleep(Duration.ofSeconds(2).toMillis());
                    new JdbcTemplate(dataSource).execute("SELECT 1");
                    System.out.println(LAST_WORDS);
                } catch (InterruptedException hurried) {
                    Thread.currentThread().interrupt();
                } catch (RuntimeException gone) {
                    System.out.println("The database is gone: " + gone.getMessage());
                }
            }

            @Override
            public boolean isRunning() {
                return running;
            }
        };
    }

    /** One more row and one more record. */
    static void write(ConfigurableApplicationContext context) throws Exception {
        JdbcTemplate jdbc = jdbc(context);
        jdbc.execute("CREATE TABLE IF NOT EXISTS kept (id integer GENERATED ALWAYS AS IDENTITY)");
        jdbc.execute("INSERT INTO kept DEFAULT VALUES");
        Map<String, Object> connection = connection(context);
        try (Admin admin = Admin.create(connection)) {
            if (!admin.listTopics().names().get(20, TimeUnit.SECONDS).contains(TOPIC)) {
                admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1)))
                        .all()
                        .get(20, TimeUnit.SECONDS);
            }
        }
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(connection, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(TOPIC, "one more")).get(20, TimeUnit.SECONDS);
        }
    }

    static int rows(ConfigurableApplicationContext context) {
        return jdbc(context).queryForList("SELECT id FROM kept").size();
    }

    static long records(ConfigurableApplicationContext context) throws Exception {
        TopicPartition partition = new TopicPartition(TOPIC, 0);
        try (Admin admin = Admin.create(connection(context))) {
            return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                    .partitionResult(partition)
                    .get(20, TimeUnit.SECONDS)
                    .offset();
        }
    }

    static JdbcTemplate jdbc(ConfigurableApplicationContext context) {
        return new JdbcTemplate(context.getBean(DataSource.class));
    }

    static Map<String, Object> connection(ConfigurableApplicationContext context) {
        return Map.of(
                "bootstrap.servers",
                context.getBean(KafkaConnectionDetails.class).getBootstrapServers());
    }

    /** Process id of the Postgres server, as its own file tells. */
    static long postmaster(ConfigurableApplicationContext context) {
        String file = jdbc(context).queryForObject("SELECT pg_read_file('postmaster.pid')", String.class);
        return Long.parseLong(
                String.valueOf(file).lines().findFirst().orElseThrow().trim());
    }
}
