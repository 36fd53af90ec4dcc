package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.OnFailure;
import io.github.tandemstreams.StartingOffsets;
import io.github.tandemstreams.Tombstones;
import io.github.tandemstreams.Trigger;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.IsolationLevel;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of one stream, or of all. Null is what isn't set.
 *
 * @param enabled Whether the stream exists in this application. Its handler is left alone otherwise. By default, true.
 * @param autoStartup Whether the stream starts with the application. By default, true.
 * @param topics Comma-separated list of topics that the stream reads. By default, the topic with the stream's name.
 * @param groupId Consumer group that spreads the lanes over the instances. By default,
 *     'tandem-' + spring.application.name + '-' + stream.
 * @param startingOffsets Where lanes start that exist at the first start of the stream. One of 'earliest', 'latest',
 *     'timestamp:' with an ISO instant, 'group:' with a group id. By default, earliest.
 * @param trigger When batches start. Either 'as-soon-as-possible' or an interval such as '10s'. By default, as soon as
 *     possible.
 * @param maxRecordsPerBatch Records that a batch holds at most. By default, 5000.
 * @param batchSizing Whether that is also how many it takes if they are there ('fixed'), or their number follows what the
 *     last batches took ('adaptive'). By default, fixed.
 * @param targetBatchDuration How long a batch should last with 'adaptive'. By default, 1s.
 * @param maxBytesPerBatch Bytes of keys, values and headers that a batch holds at most. By default, 16MB.
 * @param maxBufferedBytes Bytes that an instance reads ahead, over all lanes of the stream. By default, 64MB.
 * @param concurrency Workers of the stream on each instance, each of which needs one database connection. By default, 2.
 * @param maxAttempts How often a batch is tried whose handler fails before 'on-failure' applies. With 'dead-letter' the last
 *     try is the search for the records to blame. By default, 3.
 * @param onFailure What becomes of such a batch. Either 'dead-letter': the records to blame are found and parked, the others
 *     are committed; or 'stop': its lane stops as failed. By default, dead-letter.
 * @param maxConsecutiveDeadLetters How many dead letters a lane may have in a row, over batches, before it stops as failed
 *     instead of parking more. By default, 100.
 * @param deadLetter What is done with dead letters.
 * @param backoff Waits between the attempts.
 * @param failOnDataLoss Whether a lane fails when offsets that it has yet to read are gone. Otherwise the gap is recorded
 *     and skipped. By default, true.
 * @param tombstones What becomes of records with a null value. By default, deliver.
 * @param transactionTimeout How long the transaction of a batch lasts at most. By default, 2m.
 * @param batchesToRetain Rows of the offset log and the commit log that are kept for each lane. By default, 100.
 * @param isolationLevel Whether records of open and aborted Kafka transactions are read. By default, read_committed.
 * @param dataSource Bean name of the DataSource that the handler writes to. By default, the one of the transaction
 *     manager, or the primary one.
 * @param transactionManager Bean name of the transaction manager that the handler's writes join. By default, the one of
 *     the DataSource.
 * @param valueDeserializer Kafka deserializer of the values. By default, values are read as the handler's parameter says.
 * @param properties Further properties of the Kafka consumer, put over those of 'spring.kafka'.
 */
public record StreamProperties(
        @Nullable Boolean enabled,
        @Nullable Boolean autoStartup,
        @Nullable List<String> topics,
        @Nullable String groupId,
        @Nullable StartingOffsets startingOffsets,
        @Nullable Trigger trigger,
        @Nullable Integer maxRecordsPerBatch,
        @Nullable BatchSizing batchSizing,
        @Nullable Duration targetBatchDuration,
        @Nullable DataSize maxBytesPerBatch,
        @Nullable DataSize maxBufferedBytes,
        @Nullable Integer concurrency,
        @Nullable Integer maxAttempts,
        @Nullable OnFailure onFailure,
        @Nullable Integer maxConsecutiveDeadLetters,
        @DefaultValue DeadLetter deadLetter,
        @DefaultValue Backoff backoff,
        @Nullable Boolean failOnDataLoss,
        @Nullable Tombstones tombstones,
        @Nullable Duration transactionTimeout,
        @Nullable Integer batchesToRetain,
        @Nullable IsolationLevel isolationLevel,
        @Nullable String dataSource,
        @Nullable String transactionManager,
        @Nullable Class<?> valueDeserializer,
        @DefaultValue Map<String, String> properties) {

    /** How many records a batch takes. */
    public enum BatchSizing {
        /** All that are there, up to the limits. */
        FIXED,
        /** As many as are committed in the target duration, as far as the last batches tell, up to the limits. */
        ADAPTIVE
    }

    /**
     * Waits between the attempts.
     *
     * @param initial First wait, doubled with each further one. By default, 200ms.
     * @param max Longest wait. By default, 30s.
     */
    public record Backoff(
            @Nullable Duration initial, @Nullable Duration max) {

        private Backoff over(Backoff defaults) {
            return new Backoff(first(initial, defaults.initial), first(max, defaults.max));
        }
    }

    /**
     * What is done with dead letters.
     *
     * @param holdKey Whether records wait behind a dead letter of the same key, so that the order of each key survives. By
     *     default, false.
     * @param retention How long dead letters are kept that were processed after all, discarded or superseded, from then on.
     *     By default, for ever.
     */
    public record DeadLetter(
            @Nullable Boolean holdKey, @Nullable Duration retention) {

        private DeadLetter over(DeadLetter defaults) {
            return new DeadLetter(first(holdKey, defaults.holdKey), first(retention, defaults.retention));
        }
    }

    /** These settings, and the defaults where they have none. */
    StreamProperties over(StreamProperties defaults) {
        Map<String, String> merged = new HashMap<>(defaults.properties);
        merged.putAll(properties);
        return new StreamProperties(
                first(enabled, defaults.enabled),
                first(autoStartup, defaults.autoStartup),
                first(topics, defaults.topics),
                first(groupId, defaults.groupId),
                first(startingOffsets, defaults.startingOffsets),
                first(trigger, defaults.trigger),
                first(maxRecordsPerBatch, defaults.maxRecordsPerBatch),
                first(batchSizing, defaults.batchSizing),
                first(targetBatchDuration, defaults.targetBatchDuration),
                first(maxBytesPerBatch, defaults.maxBytesPerBatch),
                first(maxBufferedBytes, defaults.maxBufferedBytes),
                first(concurrency, defaults.concurrency),
                first(maxAttempts, defaults.maxAttempts),
                first(onFailure, defaults.onFailure),
                first(maxConsecutiveDeadLetters, defaults.maxConsecutiveDeadLetters),
                deadLetter.over(defaults.deadLetter),
                backoff.over(defaults.backoff),
                first(failOnDataLoss, defaults.failOnDataLoss),
                first(tombstones, defaults.tombstones),
                first(transactionTimeout, defaults.transactionTimeout),
                first(batchesToRetain, defaults.batchesToRetain),
                first(isolationLevel, defaults.isolationLevel),
                first(dataSource, defaults.dataSource),
                first(transactionManager, defaults.transactionManager),
                first(valueDeserializer, defaults.valueDeserializer),
                merged);
    }

    boolean isEnabled() {
        return enabled == null || enabled;
    }

    boolean isAutoStartup() {
        return autoStartup == null || autoStartup;
    }

    private static <V> @Nullable V first(@Nullable V own, @Nullable V fallback) {
        return own == null ? fallback : own;
    }
}
