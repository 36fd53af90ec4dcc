package io.github.tandemstreams.benchmarks.pekko;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.kafka.ConsumerSettings;
import org.apache.pekko.kafka.Subscriptions;
import org.apache.pekko.kafka.javadsl.Consumer;
import org.apache.pekko.projection.javadsl.SourceProvider;
import org.apache.pekko.stream.javadsl.Source;

/** A partition's records, from the offset on that the projection has stored. */
final class PartitionSource extends SourceProvider<Long, ConsumerRecord<byte[], byte[]>> {

    static final int RECORDS_PER_POLL = 5_000;

    private final TopicPartition partition;
    private final ConsumerSettings<byte[], byte[]> settings;

    PartitionSource(TopicPartition partition, String bootstrapServers, ActorSystem<?> system) {
        this.partition = partition;
        settings = ConsumerSettings.create(system, new ByteArrayDeserializer(), new ByteArrayDeserializer())
                .withBootstrapServers(bootstrapServers)
                .withProperty("max.poll.records", String.valueOf(RECORDS_PER_POLL));
    }

    @Override
    public CompletionStage<Source<ConsumerRecord<byte[], byte[]>, NotUsed>> source(
            Supplier<CompletionStage<Optional<Long>>> stored) {
        return stored.get().thenApply(last -> {
            long next = last.map(offset -> offset + 1).orElse(0L);
            return Consumer.plainSource(settings, Subscriptions.assignmentWithOffset(partition, next))
                    .mapMaterializedValue(control -> NotUsed.notUsed());
        });
    }

    @Override
    public Long extractOffset(ConsumerRecord<byte[], byte[]> envelope) {
        return envelope.offset();
    }

    @Override
    public long extractCreationTime(ConsumerRecord<byte[], byte[]> envelope) {
        return envelope.timestamp();
    }
}
