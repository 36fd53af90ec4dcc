package io.github.tandemstreams.torture.servers;

import io.github.tandemstreams.torture.process.Await;
import io.github.tandemstreams.torture.process.ChildProcess;
import io.github.tandemstreams.torture.process.Pids;
import io.github.tandemstreams.torture.process.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;

/**
 * The broker, as a process that comes back with its data on the same port.
 *
 * <p>Threading: one thread at a time.
 */
public final class Broker {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Its clients hold it up; then it is killed. */
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(8);

    private final Pids pids;
    private final Path directory;
    private final int port = Ports.free();
    private final int controllerPort = Ports.free();
    private ChildProcess process;

    /** Starts it, empty. */
    public Broker(Pids pids, Path directory) {
        this.pids = pids;
        this.directory = directory;
        process = launch();
        awaitReady();
    }

    private ChildProcess launch() {
        try {
            Path data = Files.createDirectories(directory.resolve("broker"));
            return ChildProcess.start(
                    pids,
                    directory.resolve("broker.log"),
                    BrokerMain.class,
                    512,
                    List.of(data.toString(), Integer.toString(port), Integer.toString(controllerPort)));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    /** Ends it in order or without a last word, and starts it again; returns when it answers. */
    public void restart(boolean inOrder) {
        if (inOrder) {
            process.terminate();
        }
        if (!inOrder || process.exitCode(STOP_PATIENCE).isEmpty()) {
            process.kill();
        }
        process = launch();
        awaitReady();
    }

    private void awaitReady() {
        Await.until(PATIENCE, "the broker to answer", () -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("The broker ended, see " + process.log());
            }
            return isReady();
        });
    }

    private boolean isReady() {
        try (Admin admin = admin(Duration.ofSeconds(10))) {
            return !get(admin.describeCluster().nodes()).isEmpty();
        } catch (IllegalStateException notYet) {
            return false;
        }
    }

    public void createTopic(String topic, int partitions) {
        try (Admin admin = admin(PATIENCE)) {
            get(admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                    .all());
        }
    }

    public void addPartitions(String topic, int partitions) {
        try (Admin admin = admin(PATIENCE)) {
            get(admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions)))
                    .all());
        }
    }

    /** Where the group stands, by the partition's number. */
    public Map<Integer, Long> groupOffsets(String group) {
        Map<Integer, Long> offsets = new HashMap<>();
        try (Admin admin = admin(PATIENCE)) {
            get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
                    .forEach((partition, offset) -> offsets.put(partition.partition(), offset.offset()));
        }
        return offsets;
    }

    private Admin admin(Duration patience) {
        return Admin.create(Map.of(
                "bootstrap.servers",
                bootstrapServers(),
                "default.api.timeout.ms",
                (int) patience.toMillis(),
                "request.timeout.ms",
                (int) patience.toMillis() / 2));
    }

    /** @throws IllegalStateException if there is no answer, or a refusal */
    private static <T> T get(KafkaFuture<T> answer) {
        try {
            return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException failure) {
            throw new IllegalStateException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
