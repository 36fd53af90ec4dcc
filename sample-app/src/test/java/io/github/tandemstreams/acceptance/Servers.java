package io.github.tandemstreams.acceptance;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/** One broker and one Postgres for all tests, with the durability of production. They end with the session. */
public final class Servers {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final EmbeddedKafkaKraftBroker kafka = new EmbeddedKafkaKraftBroker(1, 1);
    private final EmbeddedPostgres postgres;
    private final Admin admin;

    private static final class Shared {
        private static final Servers SERVERS = new Servers();
    }

    /** Ends them in order, when the last test is over: a shutdown hook would compete with those that delete the broker's files. */
    public static final class Session implements LauncherSessionListener {

        @Override
        public void launcherSessionClosed(LauncherSession session) {
            if (isStarted) {
                shared().close();
            }
        }
    }

    private static volatile boolean isStarted;

    private Servers() {
        kafka.brokerProperties(Map.of(
                "offsets.topic.num.partitions", "2",
                "offsets.topic.replication.factor", "1",
                "group.initial.rebalance.delay.ms", "0",
                // A process that was killed is missed soon.
                "group.min.session.timeout.ms", "1000",
                "group.consumer.min.session.timeout.ms", "1000",
                "group.consumer.min.heartbeat.interval.ms", "200"));
        kafka.afterPropertiesSet();
        admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()));
        isStarted = true;
        try {
            // Fixture defaults are fsync=off and synchronous_commit=off: what is promised depends on both.
            postgres = EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("idle_in_transaction_session_timeout", "60s")
                    .start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static Servers shared() {
        return Shared.SERVERS;
    }

    String bootstrapServers() {
        return kafka.getBrokersAsString();
    }

    Admin admin() {
        return admin;
    }

    /** A new, empty database. */
    PGSimpleDataSource newDatabase() {
        String name = "acceptance_" + DATABASES.incrementAndGet();
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
        return (PGSimpleDataSource) postgres.getDatabase("postgres", name);
    }

    /** The topic, new and empty. */
    void recreateTopic(String topic, int partitions) {
        if (await(admin.listTopics().names()).contains(topic)) {
            await(admin.deleteTopics(List.of(topic)).all());
        }
        NewTopic created = new NewTopic(topic, partitions, (short) 1);
        Awaitility.await()
                .ignoreExceptions() // the old one is deleted in the background
                .until(() -> await(admin.createTopics(List.of(created)).all()) == null);
    }

    private void close() {
        admin.close(Duration.ZERO);
        kafka.destroy();
        try {
            postgres.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static <T> T await(KafkaFuture<T> answer) {
        try {
            return answer.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failure) {
            throw new IllegalStateException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
