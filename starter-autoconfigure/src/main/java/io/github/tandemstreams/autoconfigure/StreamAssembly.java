package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.StreamProgressListener;
import io.github.tandemstreams.engine.Backoff;
import io.github.tandemstreams.engine.BatchTracer;
import io.github.tandemstreams.engine.FailurePolicy;
import io.github.tandemstreams.engine.ForeignTransactions;
import io.github.tandemstreams.engine.Limits;
import io.github.tandemstreams.engine.StreamDefinition;
import io.github.tandemstreams.engine.StreamRuntime;
import io.github.tandemstreams.jdbc.JdbcCheckpoint;
import io.github.tandemstreams.kafka.KafkaSource;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.kafka.transaction.KafkaAwareTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.unit.DataSize;

/** Puts one stream together: its handler, its settings, its database, its topics. */
final class StreamAssembly {

    private final ConfigurableListableBeanFactory beans;
    private final TandemProperties properties;
    private final ConsumerProperties consumers;
    private final ValueReaders values;
    private final GroupIds groupIds;
    private final List<StreamProgressListener> listeners;
    private final BatchTracer tracer;
    private final StreamDatabases databases;
    private final IdentityHashMap<DataSource, JdbcCheckpoint> checkpoints = new IdentityHashMap<>();
    private final String instance = InstanceName.create();

    StreamAssembly(
            ConfigurableListableBeanFactory beans,
            TandemProperties properties,
            ConsumerProperties consumers,
            ValueReaders values,
            GroupIds groupIds,
            List<StreamProgressListener> listeners,
            BatchTracer tracer) {
        this.beans = beans;
        this.properties = properties;
        this.consumers = consumers;
        this.values = values;
        this.groupIds = groupIds;
        this.listeners = listeners;
        this.tracer = tracer;
        this.databases = new StreamDatabases(beans);
        noticeOtherTransactions();
    }

    /** A handler that commits beside its batch is noticed, whichever database it does that in. */
    private void noticeOtherTransactions() {
        beans.getBeansOfType(PlatformTransactionManager.class, true, false).values().stream()
                .filter(manager -> !(manager instanceof KafkaAwareTransactionManager))
                .forEach(ForeignTransactions::listenTo);
    }

    /**
     * The stream of a handler.
     *
     * @throws TandemConfigurationException if something doesn't fit
     */
    TandemStream assemble(Handler handler) {
        String name = handler.stream();
        StreamProperties settings = properties.stream(name);
        HandlerChecks.requireSynchronous(handler);
        HandlerSignature signature = HandlerSignature.of(handler);
        StreamDatabase database = databases.of(name, settings.dataSource(), settings.transactionManager());
        HandlerChecks.requireJoins(handler, database.managerName(), beans);
        Map<String, Object> consumer = consumers.with(settings.properties());
        try {
            StreamDefinition<?> definition = definition(handler, signature, settings, database, consumer);
            return new TandemStream(
                    new StreamRuntime(definition, listeners, Clock.systemUTC()),
                    database,
                    definition.concurrency(),
                    settings.isAutoStartup());
        } catch (IllegalArgumentException invalid) {
            throw StreamMistakes.invalid(name, invalid);
        }
    }

    private StreamDefinition<?> definition(
            Handler handler,
            HandlerSignature signature,
            StreamProperties settings,
            StreamDatabase database,
            Map<String, Object> consumer) {
        StreamDefinition.Builder<@Nullable Object> stream = StreamDefinition.named(handler.stream());
        stream.source(source(handler.stream(), settings, consumer))
                .decoders(values.of(handler, signature, settings.valueDeserializer(), consumer))
                .sink(HandlerSink.of(handler, signature, beans))
                .effects(handler.effects())
                .checkpoint(checkpoint(database.dataSource()))
                .transactionManager(database.manager())
                .limits(limits(settings))
                .targetBatchDuration(targetBatchDuration(settings))
                .failurePolicy(failurePolicy(settings))
                .tracer(tracer);
        PropertyMapper map = PropertyMapper.get();
        map.from(settings::tombstones).to(stream::tombstones);
        map.from(settings::trigger).to(stream::trigger);
        map.from(settings::startingOffsets).to(stream::startingOffsets);
        map.from(settings::concurrency).to(stream::concurrency);
        map.from(settings::transactionTimeout).to(stream::transactionTimeout);
        map.from(settings::batchesToRetain).to(stream::batchesToRetain);
        map.from(settings.deadLetter()::retention).to(stream::deadLetterRetention);
        return stream.build();
    }

    private KafkaSource source(String name, StreamProperties settings, Map<String, Object> consumer) {
        KafkaSource.Builder source = KafkaSource.builder(topics(name, settings), groupIds.of(name, settings))
                .consumerProperties(consumer);
        PropertyMapper.get().from(settings::isolationLevel).to(source::isolationLevel);
        return source.build();
    }

    static Collection<String> topics(String stream, StreamProperties settings) {
        return settings.topics() == null || settings.topics().isEmpty() ? List.of(stream) : settings.topics();
    }

    private JdbcCheckpoint checkpoint(DataSource dataSource) {
        return checkpoints.computeIfAbsent(
                dataSource, key -> new JdbcCheckpoint(key, properties.schema().name(), instance));
    }

    private static Limits limits(StreamProperties settings) {
        return new Limits(
                or(settings.maxRecordsPerBatch(), Limits.DEFAULT_MAX_RECORDS_PER_BATCH),
                bytes(settings.maxBytesPerBatch(), Limits.DEFAULT_MAX_BYTES_PER_BATCH),
                bytes(settings.maxBufferedBytes(), Limits.DEFAULT_MAX_BUFFERED_BYTES));
    }

    private static @Nullable Duration targetBatchDuration(StreamProperties settings) {
        return settings.batchSizing() == StreamProperties.BatchSizing.ADAPTIVE
                ? or(settings.targetBatchDuration(), StreamDefinition.DEFAULT_TARGET_BATCH_DURATION)
                : null;
    }

    private static FailurePolicy failurePolicy(StreamProperties settings) {
        StreamProperties.Backoff backoff = settings.backoff();
        return new FailurePolicy(
                or(settings.maxAttempts(), FailurePolicy.DEFAULT_MAX_ATTEMPTS),
                new Backoff(or(backoff.initial(), Backoff.DEFAULT.initial()), or(backoff.max(), Backoff.DEFAULT.max())),
                or(settings.onFailure(), FailurePolicy.DEFAULT.onFailure()),
                or(settings.maxConsecutiveDeadLetters(), FailurePolicy.DEFAULT_MAX_CONSECUTIVE_DEAD_LETTERS),
                or(settings.deadLetter().holdKey(), FailurePolicy.DEFAULT.holdKey()),
                or(settings.failOnDataLoss(), FailurePolicy.DEFAULT.failOnDataLoss()));
    }

    private static long bytes(@Nullable DataSize size, long otherwise) {
        return size == null ? otherwise : size.toBytes();
    }

    private static <V> V or(@Nullable V value, V otherwise) {
        return value == null ? otherwise : value;
    }
}
