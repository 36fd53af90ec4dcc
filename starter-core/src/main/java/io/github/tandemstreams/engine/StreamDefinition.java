package io.github.tandemstreams.engine;

import io.github.tandemstreams.Effects;
import io.github.tandemstreams.StartingOffsets;
import io.github.tandemstreams.Tombstones;
import io.github.tandemstreams.Trigger;
import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.sink.Sink;
import io.github.tandemstreams.source.Decoder;
import io.github.tandemstreams.source.Source;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * All that makes a stream. Immutable.
 *
 * @param name the stream's name, its identity for ever
 * @param source where records come from
 * @param decoders makes a decoder for each worker
 * @param sink what batches are written to
 * @param effects where the sink's effects are
 * @param tombstones what becomes of records with a null value
 * @param checkpoint where the stream's truth is stored
 * @param transactionManager opens the batches' transactions; must bind connections of the checkpoint's DataSource
 * @param trigger when batches start
 * @param startingOffsets where lanes start that exist at the first start
 * @param limits how much is taken at a time
 * @param targetBatchDuration how long a batch should last, and its number of records follow; null: only the limits count
 * @param failurePolicy what happens to a batch that fails
 * @param concurrency worker threads on this instance; each needs one connection
 * @param transactionTimeout how long a batch's transaction may take, or sit idle
 * @param batchesToRetain log rows kept for each lane
 * @param deadLetterRetention how long dead letters are kept that are settled; null: for ever
 * @param tracer traces the runs of batches
 * @param <T> type of the values
 */
public record StreamDefinition<T extends @Nullable Object>(
        String name,
        Source source,
        Supplier<? extends Decoder<T>> decoders,
        Sink<T> sink,
        Effects effects,
        Tombstones tombstones,
        Checkpoint checkpoint,
        PlatformTransactionManager transactionManager,
        Trigger trigger,
        StartingOffsets startingOffsets,
        Limits limits,
        @Nullable Duration targetBatchDuration,
        FailurePolicy failurePolicy,
        int concurrency,
        Duration transactionTimeout,
        int batchesToRetain,
        @Nullable Duration deadLetterRetention,
        BatchTracer tracer) {

    /** Measured on two cores that broker and database share: two do up to twice what one does, four do no more. */
    public static final int DEFAULT_CONCURRENCY = 2;

    /** Of streams whose batches follow a target. */
    public static final Duration DEFAULT_TARGET_BATCH_DURATION = Duration.ofSeconds(1);

    public static final Duration DEFAULT_TRANSACTION_TIMEOUT = Duration.ofMinutes(2);
    public static final int DEFAULT_BATCHES_TO_RETAIN = 100;

    public StreamDefinition {
        if (name.isBlank()) {
            throw new IllegalArgumentException("A stream needs a name");
        }
        if (targetBatchDuration != null && (targetBatchDuration.isZero() || targetBatchDuration.isNegative())) {
            throw new IllegalArgumentException("target-batch-duration must be positive, but is " + targetBatchDuration);
        }
        if (concurrency < 1) {
            throw new IllegalArgumentException("concurrency must be at least 1, but is " + concurrency);
        }
        if (transactionTimeout.toSeconds() < 1) {
            throw new IllegalArgumentException(
                    "transaction-timeout must be at least 1 s, but is " + transactionTimeout);
        }
        if (batchesToRetain < 1) {
            throw new IllegalArgumentException("batches-to-retain must be at least 1, but is " + batchesToRetain);
        }
    }

    /** Begins a definition; all that isn't set has its default. */
    public static <T extends @Nullable Object> Builder<T> named(String name) {
        return new Builder<>(name);
    }

    /** Whether a record with this value never reaches the sink. */
    boolean skips(byte @Nullable [] value) {
        return value == null && tombstones == Tombstones.SKIP;
    }

    /** Collects what makes a stream. Source, decoders, sink, checkpoint and transaction manager are needed. */
    public static final class Builder<T extends @Nullable Object> {

        private final String name;
        private @Nullable Source source;
        private @Nullable Supplier<? extends Decoder<T>> decoders;
        private @Nullable Sink<T> sink;
        private Effects effects = Effects.ANYWHERE;
        private Tombstones tombstones = Tombstones.DELIVER;
        private @Nullable Checkpoint checkpoint;
        private @Nullable PlatformTransactionManager transactionManager;
        private Trigger trigger = Trigger.asSoonAsPossible();
        private StartingOffsets startingOffsets = new StartingOffsets.Earliest();
        private Limits limits = Limits.DEFAULT;
        private @Nullable Duration targetBatchDuration;
        private FailurePolicy failurePolicy = FailurePolicy.DEFAULT;
        private int concurrency = DEFAULT_CONCURRENCY;
        private Duration transactionTimeout = DEFAULT_TRANSACTION_TIMEOUT;
        private int batchesToRetain = DEFAULT_BATCHES_TO_RETAIN;
        private @Nullable Duration deadLetterRetention;
        private BatchTracer tracer = BatchTracer.NONE;

        private Builder(String name) {
            this.name = name;
        }

        public Builder<T> source(Source source) {
            this.source = source;
            return this;
        }

        public Builder<T> decoders(Supplier<? extends Decoder<T>> decoders) {
            this.decoders = decoders;
            return this;
        }

        public Builder<T> sink(Sink<T> sink) {
            this.sink = sink;
            return this;
        }

        public Builder<T> effects(Effects effects) {
            this.effects = effects;
            return this;
        }

        public Builder<T> tombstones(Tombstones tombstones) {
            this.tombstones = tombstones;
            return this;
        }

        public Builder<T> checkpoint(Checkpoint checkpoint) {
            this.checkpoint = checkpoint;
            return this;
        }

        public Builder<T> transactionManager(PlatformTransactionManager transactionManager) {
            this.transactionManager = transactionManager;
            return this;
        }

        public Builder<T> trigger(Trigger trigger) {
            this.trigger = trigger;
            return this;
        }

        public Builder<T> startingOffsets(StartingOffsets startingOffsets) {
            this.startingOffsets = startingOffsets;
            return this;
        }

        public Builder<T> limits(Limits limits) {
            this.limits = limits;
            return this;
        }

        public Builder<T> targetBatchDuration(@Nullable Duration targetBatchDuration) {
            this.targetBatchDuration = targetBatchDuration;
            return this;
        }

        public Builder<T> failurePolicy(FailurePolicy failurePolicy) {
            this.failurePolicy = failurePolicy;
            return this;
        }

        public Builder<T> concurrency(int concurrency) {
            this.concurrency = concurrency;
            return this;
        }

        public Builder<T> transactionTimeout(Duration transactionTimeout) {
            this.transactionTimeout = transactionTimeout;
            return this;
        }

        public Builder<T> batchesToRetain(int batchesToRetain) {
            this.batchesToRetain = batchesToRetain;
            return this;
        }

        public Builder<T> deadLetterRetention(@Nullable Duration deadLetterRetention) {
            this.deadLetterRetention = deadLetterRetention;
            return this;
        }

        public Builder<T> tracer(BatchTracer tracer) {
            this.tracer = tracer;
            return this;
        }

        /**
         * The definition.
         *
         * @throws NullPointerException if something needed is missing
         * @throws IllegalArgumentException if something set makes no sense
         */
        public StreamDefinition<T> build() {
            return new StreamDefinition<>(
                    name,
                    needed("source", source),
                    needed("decoders", decoders),
                    needed("sink", sink),
                    effects,
                    tombstones,
                    needed("checkpoint", checkpoint),
                    needed("transactionManager", transactionManager),
                    trigger,
                    startingOffsets,
                    limits,
                    targetBatchDuration,
                    failurePolicy,
                    concurrency,
                    transactionTimeout,
                    batchesToRetain,
                    deadLetterRetention,
                    tracer);
        }

        private <V> V needed(String what, @Nullable V value) {
            return Objects.requireNonNull(value, () -> "Stream '" + name + "' has no " + what);
        }
    }
}
