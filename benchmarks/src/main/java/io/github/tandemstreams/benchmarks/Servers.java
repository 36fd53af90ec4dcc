package io.github.tandemstreams.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/** One broker and one Postgres on loopback, with the durability of production. */
final class Servers implements AutoCloseable {

    static final int PARTITIONS = 4;

    private final EmbeddedKafkaKraftBroker kafka = new EmbeddedKafkaKraftBroker(1, 1);
    private final EmbeddedPostgres postgres;
    private int databases;

    Servers() throws IOException {
        kafka.brokerProperty("group.initial.rebalance.delay.ms", "0");
        kafka.afterPropertiesSet();
        postgres = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("idle_in_transaction_session_timeout", "60s")
                .start();
    }

    String bootstrapServers() {
        return kafka.getBrokersAsString();
    }

    /** A database of its own for each run, with the sample's two tables. */
    HikariDataSource newDatabase(int poolSize) {
        String name = "run_" + ++databases;
        new JdbcTemplate(postgres.getPostgresDatabase()).execute("create database " + name);
        HikariConfig config = new HikariConfig();
        config.setDataSource(postgres.getDatabase("postgres", name));
        config.setMaximumPoolSize(poolSize);
        HikariDataSource database = new HikariDataSource(config);
        JdbcTemplate jdbc = new JdbcTemplate(database);
        jdbc.execute("create table flight (date text, delay int, distance int, origin text, destination text)");
        jdbc.execute("create table airport_delay (origin text primary key, flights bigint, total_delay bigint,"
                + " total_distance bigint)");
        return database;
    }

    /** A topic with these lines, as often as it takes to reach the number of records. */
    void fill(String topic, Path lines, int records) throws IOException, ExecutionException, InterruptedException {
        List<String> input = Files.readAllLines(lines);
        // One request at a time: in a topic this new, an idempotent producer's first ones may be refused for ever.
        Map<String, Object> properties = Map.of(
                "bootstrap.servers",
                bootstrapServers(),
                "linger.ms",
                5,
                "enable.idempotence",
                false,
                "max.in.flight.requests.per.connection",
                1);
        try (Admin admin = Admin.create(properties);
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            admin.createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1)))
                    .all()
                    .get();
            List<Future<RecordMetadata>> sent = new ArrayList<>(records);
            for (int i = 0; i < records; i++) {
                sent.add(producer.send(new ProducerRecord<>(
                        topic, i % PARTITIONS, null, input.get(i % input.size()).getBytes())));
            }
            for (Future<RecordMetadata> each : sent) {
                each.get(); // a record less, and the run would wait for it for ever
            }
        }
    }

    @Override
    public void close() throws IOException {
        kafka.destroy();
        postgres.close();
    }
}
