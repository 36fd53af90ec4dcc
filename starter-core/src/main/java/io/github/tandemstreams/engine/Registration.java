package io.github.tandemstreams.engine;

import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.checkpoint.SettledSettingException;
import io.github.tandemstreams.source.LaneStart;
import io.github.tandemstreams.source.Source;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the stream and its topics known to the checkpoint. Where a lane starts is resolved here, once, for the partitions
 * that exist at the first start; the rows are there before the source assigns a lane, so a partition without a row is one
 * that its topic gained later.
 */
final class Registration {

    private static final Logger log = LoggerFactory.getLogger(Registration.class);

    private static final String STARTING_OFFSETS = "starting-offsets";

    private final StreamDefinition<?> stream;

    Registration(StreamDefinition<?> stream) {
        this.stream = stream;
    }

    /**
     * Registers what isn't known yet.
     *
     * @throws io.github.tandemstreams.source.TopicNotFoundException if a new topic doesn't exist
     * @throws io.github.tandemstreams.source.SourceUnavailableException if the source can't be reached
     * @throws SettledSettingException if a setting is changed that the stream keeps
     */
    void run() {
        Source source = stream.source();
        Checkpoint checkpoint = stream.checkpoint();
        settle(source, checkpoint);
        Set<String> known = checkpoint.topics(stream.name());
        Set<String> added = new TreeSet<>(source.topics());
        added.removeAll(known);
        tellOfRemoved(known, source.topics());
        if (added.isEmpty()) {
            return;
        }
        Map<String, LaneStart> starts = source.resolve(added, stream.startingOffsets());
        Set<String> registered = checkpoint.register(stream.name(), added, starts);
        if (!registered.isEmpty()) {
            tellOfAdded(known, registered, starts);
        }
    }

    /**
     * Where a stream starts is asked once, so another answer later changes nothing and is told. What a range holds must not
     * change at all.
     */
    private void settle(Source source, Checkpoint checkpoint) {
        Map<String, String> configured = new TreeMap<>(source.settled());
        configured.put(STARTING_OFFSETS, stream.startingOffsets().toString());
        Map<String, String> settled = checkpoint.settle(stream.name(), configured);
        configured.forEach((setting, value) -> {
            String kept = settled.getOrDefault(setting, value);
            if (kept.equals(value)) {
                return;
            }
            if (!setting.equals(STARTING_OFFSETS)) {
                throw new SettledSettingException(setting, kept, value);
            }
            log.warn(
                    "Stream '{}': {} is {} now and was {} when the stream was first started; that has no effect on the"
                            + " lanes that it has, which go on where they stand",
                    stream.name(),
                    setting,
                    value,
                    kept);
        });
    }

    private void tellOfAdded(Set<String> known, Set<String> registered, Map<String, LaneStart> starts) {
        if (known.isEmpty()) {
            log.info(
                    "Stream '{}': is new in this checkpoint; topics {} start at {}: {}. If it was renamed, its old lanes"
                            + " keep their positions under the old name: a stream's name is its identity.",
                    stream.name(),
                    registered,
                    stream.startingOffsets(),
                    positions(starts));
        } else {
            log.info(
                    "Stream '{}': topics {} were added and start at {}: {}",
                    stream.name(),
                    registered,
                    stream.startingOffsets(),
                    positions(starts));
        }
    }

    private static String positions(Map<String, LaneStart> starts) {
        StringBuilder text = new StringBuilder();
        starts.values().forEach(start -> text.append(text.isEmpty() ? "" : ", ").append(start.position()));
        return text.toString();
    }

    private void tellOfRemoved(Set<String> known, Set<String> configured) {
        Set<String> removed = new TreeSet<>(known);
        removed.removeAll(configured);
        if (!removed.isEmpty()) {
            log.warn(
                    "Stream '{}': topics {} aren't configured any more and aren't read; their lanes keep their positions"
                            + " and go on there if the topics are configured again",
                    stream.name(),
                    removed);
        }
    }
}
