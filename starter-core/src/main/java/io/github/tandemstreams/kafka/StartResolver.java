package io.github.tandemstreams.kafka;

import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StartingOffsets;
import io.github.tandemstreams.source.LaneBounds;
import io.github.tandemstreams.source.LaneStart;
import io.github.tandemstreams.source.SourceUnavailableException;
import io.github.tandemstreams.source.TopicNotFoundException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the brokers where lanes start and what is there of them. The end of a partition is what can be read of it: under
 * {@code read_committed} the last stable offset.
 *
 * <p>Threading: any thread; blocks, at most about the API timeout for each question.
 */
final class StartResolver {

    private static final Logger log = LoggerFactory.getLogger(StartResolver.class);

    /** For what is asked again and again. */
    private static final int SOON_MS = 10_000;

    private final AdminConnection connection;
    private final ListOffsetsOptions readable;
    private final ListOffsetsOptions soon;
    private final String groupId;

    StartResolver(AdminConnection connection, ConsumerSettings settings) {
        this.connection = connection;
        this.groupId = settings.groupId();
        this.readable = new ListOffsetsOptions(settings.isolationLevel());
        this.soon =
                new ListOffsetsOptions(settings.isolationLevel()).timeoutMs(Math.min(SOON_MS, settings.apiTimeoutMs()));
    }

    /**
     * Where the lanes of these topics start, by lane.
     *
     * @throws TopicNotFoundException if a topic doesn't exist
     * @throws SourceUnavailableException if the brokers don't answer
     */
    Map<String, LaneStart> resolve(Collection<String> topics, StartingOffsets startingOffsets) {
        try {
            List<TopicDescription> found = describe(topics);
            List<TopicPartition> partitions = new ArrayList<>();
            found.forEach(topic -> partitions.addAll(partitionsOf(topic)));
            Map<TopicPartition, Long> starts = starts(partitions, startingOffsets);
            Map<String, LaneStart> lanes = new TreeMap<>();
            for (TopicDescription topic : found) {
                for (TopicPartition partition : partitionsOf(topic)) {
                    String lane = LaneNames.of(partition);
                    Offsets start = Offsets.of(lane, starts.getOrDefault(partition, 0L));
                    lanes.put(lane, new LaneStart(topic.name(), topicId(topic), start));
                }
            }
            return lanes;
        } catch (ExecutionException refused) {
            throw connection.unavailable(refused.getCause());
        }
    }

    /**
     * The first record of each partition of these topics that isn't older than a time.
     *
     * @throws TopicNotFoundException if a topic doesn't exist
     * @throws SourceUnavailableException if the brokers don't answer
     */
    Offsets at(Collection<String> topics, Instant time) {
        try {
            return at(partitions(topics), time);
        } catch (ExecutionException refused) {
            throw connection.unavailable(refused.getCause());
        }
    }

    /** The same of one lane: what is wrong with another partition or topic doesn't matter to it. */
    Offsets at(String lane, Instant time) {
        TopicPartition wanted = LaneNames.partition(lane);
        try {
            List<TopicPartition> partitions = partitions(List.of(wanted.topic()));
            partitions.retainAll(List.of(wanted));
            return at(partitions, time);
        } catch (ExecutionException refused) {
            throw connection.unavailable(refused.getCause());
        }
    }

    private Offsets at(List<TopicPartition> partitions, Instant time) throws ExecutionException {
        Map<String, Long> offsets = new HashMap<>();
        // Kafka counts in milliseconds: a record of the one that the time is in the middle of may be older.
        // Below zero a time would be taken for a name of another question, such as that for the end.
        found(partitions, Math.max(0, time.plusNanos(999_999).toEpochMilli()))
                .forEach((partition, offset) -> offsets.put(LaneNames.of(partition), offset));
        return Offsets.of(offsets);
    }

    private List<TopicPartition> partitions(Collection<String> topics) throws ExecutionException {
        List<TopicPartition> partitions = new ArrayList<>();
        describe(topics).forEach(topic -> partitions.addAll(partitionsOf(topic)));
        return partitions;
    }

    /**
     * Asks what is there of these lanes. All questions are on their way before the first answer is waited for; a partition
     * without leader, or a topic that may not be read, fails its own lanes alone.
     *
     * @return what waits for each lane's answer
     * @throws SourceUnavailableException if nothing can be asked at all
     */
    Map<String, Supplier<LaneBounds>> bounds(Collection<String> lanes) {
        List<TopicPartition> partitions =
                lanes.stream().map(LaneNames::partition).toList();
        ListOffsetsResult earliest = ask(partitions, OffsetSpec.earliest());
        ListOffsetsResult latest = ask(partitions, OffsetSpec.latest());
        KafkaFuture<Map<TopicPartition, OffsetAndMetadata>> reported = askGroup(partitions);
        Map<String, KafkaFuture<TopicDescription>> topics =
                askTopics(partitions.stream().map(TopicPartition::topic).collect(Collectors.toSet()));
        Map<String, Supplier<LaneBounds>> bounds = new HashMap<>();
        for (TopicPartition partition : partitions) {
            bounds.put(LaneNames.of(partition), () -> bounds(partition, topics, earliest, latest, reported));
        }
        return bounds;
    }

    /**
     * Asks where these lanes end. What isn't answered soon isn't: the next one who asks is soon to come.
     *
     * @return what waits for each lane's answer
     * @throws SourceUnavailableException if nothing can be asked at all
     */
    Map<String, Supplier<Offsets>> ends(Collection<String> lanes) {
        List<TopicPartition> partitions =
                lanes.stream().map(LaneNames::partition).toList();
        ListOffsetsResult latest = ask(partitions, OffsetSpec.latest(), soon);
        Map<String, Supplier<Offsets>> ends = new HashMap<>();
        for (TopicPartition partition : partitions) {
            String lane = LaneNames.of(partition);
            ends.put(lane, () -> {
                try {
                    return offset(lane, partition, latest);
                } catch (ExecutionException refused) {
                    throw connection.unavailable(refused.getCause());
                }
            });
        }
        return ends;
    }

    /** A partition that its topic doesn't have (after it was created again with fewer) is empty. */
    private LaneBounds bounds(
            TopicPartition partition,
            Map<String, KafkaFuture<TopicDescription>> topics,
            ListOffsetsResult earliest,
            ListOffsetsResult latest,
            KafkaFuture<Map<TopicPartition, OffsetAndMetadata>> reported) {
        String lane = LaneNames.of(partition);
        try {
            TopicDescription topic =
                    described(partition.topic(), Objects.requireNonNull(topics.get(partition.topic())));
            if (topic.partitions().stream().noneMatch(found -> found.partition() == partition.partition())) {
                return new LaneBounds(topicId(topic), Offsets.of(lane, 0), Offsets.of(lane, 0), null);
            }
            return new LaneBounds(
                    topicId(topic),
                    offset(lane, partition, earliest),
                    offset(lane, partition, latest),
                    reported(partition, reported));
        } catch (ExecutionException refused) {
            throw connection.unavailable(refused.getCause());
        }
    }

    private Map<TopicPartition, Long> starts(List<TopicPartition> partitions, StartingOffsets startingOffsets)
            throws ExecutionException {
        if (startingOffsets instanceof StartingOffsets.Latest) {
            return offsets(ask(partitions, OffsetSpec.latest()));
        }
        if (startingOffsets instanceof StartingOffsets.AtTimestamp at) {
            return at(partitions, at.instant().toEpochMilli());
        }
        if (startingOffsets instanceof StartingOffsets.OfGroup of) {
            return ofGroup(partitions, of.groupId());
        }
        return offsets(ask(partitions, OffsetSpec.earliest()));
    }

    private Map<TopicPartition, Long> at(List<TopicPartition> partitions, long timestamp) throws ExecutionException {
        // The end first: what is written in between must not be taken for older than the timestamp.
        Map<TopicPartition, Long> starts = new HashMap<>(offsets(ask(partitions, OffsetSpec.latest())));
        starts.putAll(found(partitions, timestamp));
        return starts;
    }

    /** Partitions that have such a record. */
    private Map<TopicPartition, Long> found(List<TopicPartition> partitions, long timestamp) throws ExecutionException {
        Map<TopicPartition, Long> found = new HashMap<>(offsets(ask(partitions, OffsetSpec.forTimestamp(timestamp))));
        found.values().removeIf(offset -> offset < 0);
        return found;
    }

    private Map<TopicPartition, Long> ofGroup(List<TopicPartition> partitions, String groupId)
            throws ExecutionException {
        Map<TopicPartition, OffsetAndMetadata> committed = committed(groupId);
        if (partitions.stream().noneMatch(committed::containsKey)) {
            log.warn(
                    "Group '{}' has no offset for any partition of {}: they start at earliest. Check the group's name",
                    groupId,
                    partitions.stream().map(TopicPartition::topic).collect(Collectors.toSet()));
        }
        Map<TopicPartition, Long> starts = new HashMap<>(offsets(ask(partitions, OffsetSpec.earliest())));
        starts.replaceAll((partition, earliest) -> {
            OffsetAndMetadata offset = committed.get(partition);
            return offset == null ? earliest : Math.max(earliest, offset.offset());
        });
        return starts;
    }

    /** Evidence only: without the right to read it, or without the group, there is none. */
    private @Nullable String reported(
            TopicPartition partition, KafkaFuture<Map<TopicPartition, OffsetAndMetadata>> asked)
            throws ExecutionException {
        try {
            OffsetAndMetadata committed = connection.await(asked).get(partition);
            return committed == null ? null : committed.metadata();
        } catch (ExecutionException refused) {
            if (refused.getCause() instanceof GroupIdNotFoundException
                    || refused.getCause() instanceof GroupAuthorizationException) {
                return null;
            }
            throw refused;
        }
    }

    private KafkaFuture<Map<TopicPartition, OffsetAndMetadata>> askGroup(List<TopicPartition> partitions) {
        ListConsumerGroupOffsetsSpec spec = new ListConsumerGroupOffsetsSpec().topicPartitions(partitions);
        return connection
                .admin()
                .listConsumerGroupOffsets(Map.of(groupId, spec))
                .partitionsToOffsetAndMetadata(groupId);
    }

    private Map<TopicPartition, OffsetAndMetadata> committed(String groupId) throws ExecutionException {
        try {
            Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>(connection.await(
                    connection.admin().listConsumerGroupOffsets(groupId).partitionsToOffsetAndMetadata()));
            committed.values().removeIf(offset -> offset == null);
            return committed;
        } catch (ExecutionException refused) {
            if (refused.getCause() instanceof GroupIdNotFoundException) {
                return Map.of();
            }
            throw refused;
        }
    }

    private List<TopicDescription> describe(Collection<String> topics) throws ExecutionException {
        List<TopicDescription> found = new ArrayList<>();
        for (Map.Entry<String, KafkaFuture<TopicDescription>> answer :
                askTopics(topics).entrySet()) {
            found.add(described(answer.getKey(), answer.getValue()));
        }
        return found;
    }

    private Map<String, KafkaFuture<TopicDescription>> askTopics(Collection<String> topics) {
        return connection.admin().describeTopics(topics).topicNameValues();
    }

    private TopicDescription described(String topic, KafkaFuture<TopicDescription> answer) throws ExecutionException {
        try {
            return connection.await(answer);
        } catch (ExecutionException refused) {
            if (refused.getCause() instanceof UnknownTopicOrPartitionException
                    || refused.getCause() instanceof InvalidTopicException) {
                throw new TopicNotFoundException(topic);
            }
            throw refused;
        }
    }

    private ListOffsetsResult ask(List<TopicPartition> partitions, OffsetSpec spec) {
        return ask(partitions, spec, readable);
    }

    private ListOffsetsResult ask(List<TopicPartition> partitions, OffsetSpec spec, ListOffsetsOptions options) {
        return connection
                .admin()
                .listOffsets(
                        partitions.stream().collect(Collectors.toMap(partition -> partition, ignored -> spec)),
                        options);
    }

    private Map<TopicPartition, Long> offsets(ListOffsetsResult asked) throws ExecutionException {
        Map<TopicPartition, ListOffsetsResultInfo> answer = connection.await(asked.all());
        return answer.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().offset()));
    }

    private Offsets offset(String lane, TopicPartition partition, ListOffsetsResult asked) throws ExecutionException {
        return Offsets.of(
                lane, connection.await(asked.partitionResult(partition)).offset());
    }

    private static List<TopicPartition> partitionsOf(TopicDescription topic) {
        return topic.partitions().stream()
                .map(info -> new TopicPartition(topic.name(), info.partition()))
                .toList();
    }

    private static String topicId(TopicDescription topic) {
        return topic.topicId().toString();
    }
}
