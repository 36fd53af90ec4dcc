package io.github.tandemstreams.benchmarks.pekko;

import io.github.tandemstreams.benchmarks.contenders.Finish;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.pekko.projection.HandlerRecoveryStrategy;
import org.apache.pekko.projection.ProjectionId;
import org.apache.pekko.projection.StatusObserver;

/** Hears of the last record of each group, once it is committed. */
final class CommittedOffsets extends StatusObserver<ConsumerRecord<byte[], byte[]>> {

    private final Finish finish;
    private long next;

    CommittedOffsets(Finish finish) {
        this.finish = finish;
    }

    @Override
    public synchronized void offsetProgress(ProjectionId projection, ConsumerRecord<byte[], byte[]> envelope) {
        finish.add(envelope.offset() + 1 - next);
        next = envelope.offset() + 1;
    }

    @Override
    public void started(ProjectionId projection) {}

    @Override
    public void failed(ProjectionId projection, Throwable cause) {}

    @Override
    public void stopped(ProjectionId projection) {}

    @Override
    public void beforeProcess(ProjectionId projection, ConsumerRecord<byte[], byte[]> envelope) {}

    @Override
    public void afterProcess(ProjectionId projection, ConsumerRecord<byte[], byte[]> envelope) {}

    @Override
    public void error(
            ProjectionId projection,
            ConsumerRecord<byte[], byte[]> envelope,
            Throwable cause,
            HandlerRecoveryStrategy strategy) {}
}
