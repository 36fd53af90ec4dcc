package io.github.tandemstreams.torture.input;

import java.time.Duration;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/** Sends single records; a new client takes over after each failure, since not every failure can be recovered from. */
final class PlainProducer implements Runnable {

    private static final int BURSTS_PER_SECOND = 20;

    private final Clients clients;
    private final String topic;
    private final Mix mix;
    private final Pace pace;
    private final Journal journal;
    private volatile boolean failed;

    PlainProducer(Clients clients, String topic, Mix mix, Pace pace, Journal journal) {
        this.clients = clients;
        this.topic = topic;
        this.mix = mix;
        this.pace = pace;
        this.journal = journal;
    }

    @Override
    public void run() {
        while (!pace.isEnded()) {
            failed = false;
            Producer<byte[], byte[]> producer = clients.producer();
            try {
                while (!pace.isEnded() && !failed) {
                    burst(producer);
                    Thread.sleep(1_000 / BURSTS_PER_SECOND);
                }
                producer.flush();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
                return;
            } finally {
                producer.close(Duration.ofSeconds(30));
            }
        }
    }

    private void burst(Producer<byte[], byte[]> producer) {
        for (int i = 0; i < Math.max(1, pace.perSecond() / BURSTS_PER_SECOND) && !failed; i++) {
            Message message = mix.next();
            int partition = mix.partition(pace.partitions());
            try {
                producer.send(
                        new ProducerRecord<>(topic, partition, message.key(), message.value()), (metadata, failure) -> {
                            if (failure == null) {
                                journal.acknowledged(message.id(), metadata.partition(), metadata.offset());
                            } else {
                                journal.unknown(1);
                                failed = true;
                            }
                        });
            } catch (KafkaException refused) {
                // The callback wasn't called, or was called as well: the topic tells either way.
                failed = true;
            }
        }
    }
}
