package io.github.tandemstreams.benchmarks.servers;

import io.github.tandemstreams.benchmarks.workloads.Input;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends orders when they are due, whether or not those before have arrived. Each carries the time at which it was due: if the
 * sender itself is late, that counts as the contender's latency and isn't left out.
 */
public final class OpenLoop implements AutoCloseable {

    private final String topic;
    private final int partitions;
    private final KafkaProducer<byte[], byte[]> producer;
    private long sent;

    /** To the partitions of a topic in turn. */
    public OpenLoop(String topic, int partitions, String bootstrapServers) {
        this.topic = topic;
        this.partitions = partitions;
        producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers,
                        "linger.ms",
                        0,
                        "enable.idempotence",
                        false,
                        "max.in.flight.requests.per.connection",
                        1),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** Sends one now. */
    public void sendOne() {
        send(Instant.now());
        producer.flush();
    }

    /** Sends so many, at this rate from now on. */
    public void send(long records, int perSecond) {
        long end = sent + records;
        sendWhile(() -> sent < end, perSecond);
    }

    /** Sends at this rate for as long as that is wanted, which is asked before each. */
    public void sendWhile(BooleanSupplier wanted, int perSecond) {
        Instant start = Instant.now();
        for (long i = 0; wanted.getAsBoolean(); i++) {
            Instant due = start.plusNanos(i * 1_000_000_000L / perSecond);
            long early = Instant.now().until(due, ChronoUnit.NANOS);
            while (early > 0) {
                LockSupport.parkNanos(early);
                early = Instant.now().until(due, ChronoUnit.NANOS);
            }
            send(due);
        }
    }

    /** How many were sent until now. */
    public long sent() {
        return sent;
    }

    private void send(Instant due) {
        byte[] order = Input.order(sent, due).getBytes(StandardCharsets.UTF_8);
        producer.send(new ProducerRecord<>(topic, (int) (sent % partitions), null, order));
        sent++;
    }

    @Override
    public void close() {
        producer.close();
    }
}
