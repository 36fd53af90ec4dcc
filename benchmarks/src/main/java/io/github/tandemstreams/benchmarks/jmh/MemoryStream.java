package io.github.tandemstreams.benchmarks.jmh;

import io.github.tandemstreams.StreamProgress;
import io.github.tandemstreams.StreamProgressListener;
import io.github.tandemstreams.engine.StreamDefinition;
import io.github.tandemstreams.engine.StreamRuntime;
import io.github.tandemstreams.source.Decoder;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * A stream of the real engine with one lane and one worker, between a source that is told its records and a checkpoint in
 * memory.
 *
 * <p>Threading: belongs to one thread, which plays the part of the consumer's.
 */
final class MemoryStream<T> implements StreamProgressListener {

    private final MemorySource source = new MemorySource();
    private final Semaphore committed = new Semaphore(0);
    private final StreamRuntime runtime;

    private MemoryStream(Decoder<T> decoder) {
        StreamDefinition<T> definition = StreamDefinition.<T>named("memory")
                .source(source)
                .decoders(() -> decoder)
                .sink(batch -> {})
                .checkpoint(new MemoryCheckpoint())
                .transactionManager(new Transactions())
                .concurrency(1)
                .build();
        runtime = new StreamRuntime(definition, List.of(this), Clock.systemUTC());
    }

    static <T> MemoryStream<T> start(Decoder<T> decoder) {
        MemoryStream<T> stream = new MemoryStream<>(decoder);
        stream.runtime.start();
        stream.source.awaitSeek();
        return stream;
    }

    /** Hands over the records of a poll, and waits until all of them are committed. */
    void run(List<byte[]> values) throws InterruptedException {
        source.deliver(values);
        committed.acquire(values.size());
    }

    void stop() {
        runtime.stop(Duration.ofSeconds(10));
    }

    @Override
    public void onCommitted(StreamProgress progress) {
        committed.release(progress.records());
    }

    /** Transactions of nothing: they bind to the thread what Spring's own ones do, and no more. */
    private static final class Transactions extends AbstractPlatformTransactionManager {

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }
}
