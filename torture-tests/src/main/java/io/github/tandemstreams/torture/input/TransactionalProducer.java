package io.github.tandemstreams.torture.input;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;

/** Sends transactions, a good part of which it aborts; some stay open for a while. */
final class TransactionalProducer implements Runnable {

    private static final int LARGEST = 30;
    private static final Duration LONGEST_OPEN = Duration.ofSeconds(2);

    private final Clients clients;
    private final String topic;
    private final String transactionalId;
    private final Mix mix;
    private final Random random;
    private final Pace pace;
    private final Journal journal;

    TransactionalProducer(
            Clients clients, String topic, String transactionalId, Mix mix, Random random, Pace pace, Journal journal) {
        this.clients = clients;
        this.topic = topic;
        this.transactionalId = transactionalId;
        this.mix = mix;
        this.random = random;
        this.pace = pace;
        this.journal = journal;
    }

    @Override
    public void run() {
        while (!pace.isEnded()) {
            Producer<byte[], byte[]> producer = clients.transactional(transactionalId);
            try {
                // Ends what a former client left open.
                producer.initTransactions();
                while (!pace.isEnded()) {
                    int records = 1 + random.nextInt(LARGEST);
                    transaction(producer, records);
                    Thread.sleep(1_000L * records / Math.max(1, pace.perSecond()));
                }
            } catch (KafkaException brokenOff) {
                // A new client begins anew.
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
                return;
            } finally {
                producer.close(Duration.ofSeconds(5));
            }
        }
    }

    /** @throws KafkaException when it failed, after the journal was told what that leaves of it */
    private void transaction(Producer<byte[], byte[]> producer, int records) throws InterruptedException {
        List<String> ids = new ArrayList<>();
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        boolean commits = random.nextInt(10) < 7;
        boolean settled = false;
        try {
            producer.beginTransaction();
            for (int i = 0; i < records; i++) {
                Message message = mix.next();
                int partition = mix.partition(pace.partitions());
                ids.add(message.id());
                sent.add(producer.send(new ProducerRecord<>(topic, partition, message.key(), message.value())));
            }
            producer.flush();
            if (random.nextInt(20) == 0) {
                Thread.sleep(random.nextInt((int) LONGEST_OPEN.toMillis()));
            }
            if (!commits) {
                journal.aborted(ids);
                settled = true;
                producer.abortTransaction();
                return;
            }
            settled = true;
            producer.commitTransaction();
        } catch (KafkaException failure) {
            if (!settled) {
                journal.aborted(ids);
            } else if (commits) {
                journal.unknown(ids.size());
            }
            throw failure;
        }
        committed(ids, sent);
    }

    private void committed(List<String> ids, List<Future<RecordMetadata>> sent) throws InterruptedException {
        journal.committed();
        try {
            for (int i = 0; i < ids.size(); i++) {
                RecordMetadata metadata = sent.get(i).get();
                journal.acknowledged(ids.get(i), metadata.partition(), metadata.offset());
            }
        } catch (ExecutionException contradiction) {
            throw new IllegalStateException("A transaction was committed without one of its records", contradiction);
        }
    }
}
