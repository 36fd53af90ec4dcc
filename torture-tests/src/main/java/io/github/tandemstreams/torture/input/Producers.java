package io.github.tandemstreams.torture.input;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;

/** Fills the topic, in part by transactions, until it is told to end. */
public final class Producers {

    private static final int TRANSACTIONAL = 2;
    private static final int PER_SECOND = 80;
    private static final int HURRY_PER_SECOND = 1_000;

    private final Pace pace;
    private final Journal journal = new Journal();
    private final TopicReader reader;
    private final List<Thread> threads = new ArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    /** Producers for a topic with that many partitions; poison, whether there are records that handlers can't bear. */
    public Producers(String bootstrapServers, String topic, int partitions, long seed, boolean poison) {
        Clients clients = new Clients(bootstrapServers);
        pace = new Pace(PER_SECOND, partitions);
        reader = new TopicReader(clients, topic);
        thread("plain", new PlainProducer(clients, topic, new Mix(new Random(seed), "p", poison), pace, journal));
        for (int i = 1; i <= TRANSACTIONAL; i++) {
            String id = "t" + i;
            thread(
                    id,
                    new TransactionalProducer(
                            clients,
                            topic,
                            "torture-" + id,
                            new Mix(new Random(seed + i), id, poison),
                            new Random(seed - i),
                            pace,
                            journal));
        }
    }

    private void thread(String name, Runnable producer) {
        Thread thread = new Thread(producer, "producer-" + name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((dead, failure) -> failures.add(failure));
        threads.add(thread);
    }

    public void start() {
        threads.forEach(Thread::start);
    }

    public Journal journal() {
        return journal;
    }

    /** The topic has more partitions now. */
    public void grow(int partitions) {
        pace.grow(partitions);
    }

    /** As fast as they can. */
    public void hurry() {
        pace.change(HURRY_PER_SECOND);
    }

    /** Ends what they are doing in order. */
    public void stop() throws InterruptedException {
        pace.end();
        for (Thread thread : threads) {
            thread.join(Duration.ofMinutes(2).toMillis());
            if (thread.isAlive()) {
                throw new IllegalStateException(thread.getName() + " doesn't end");
            }
        }
        if (!failures.isEmpty()) {
            throw new IllegalStateException("A producer failed", failures.get(0));
        }
    }

    /** All committed records of the topic. Call it when nobody writes any more. */
    public List<Visible> topic() {
        return reader.read(pace.partitions());
    }
}
