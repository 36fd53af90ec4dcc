package io.github.tandemstreams.source;

import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StartingOffsets;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Replayable input with offsets, divided into lanes. One source belongs to one stream of one instance.
 *
 * <p>Threading: {@link #wakeUp()} may be called from any thread and never blocks. The other methods may block; they throw
 * {@link SourceUnavailableException} when the source can't be reached, which is always worth another try.
 */
public interface Source {

    /** The topics that the stream is configured to read. */
    Set<String> topics();

    /**
     * Settings that decide which records an offset range holds, by their property's name: a stream keeps them from its
     * first start on, since a replay must read what the batch read.
     */
    Map<String, String> settled();

    /**
     * Where each lane of these topics starts.
     *
     * @return for each lane that exists now, the identity of its topic and its resolved start in
     *     {@link LaneStart#position()}
     * @throws TopicNotFoundException if a topic doesn't exist
     */
    Map<String, LaneStart> resolve(Collection<String> topics, StartingOffsets startingOffsets);

    /**
     * Asks what the source holds of these lanes now, about all of them at once.
     *
     * @return for each lane, by its name, what waits for its answer. It throws {@link TopicNotFoundException} if its topic
     *     doesn't exist any more, and {@link SourceUnavailableException} if this one lane can't be told of
     */
    Map<String, Supplier<LaneBounds>> bounds(Collection<String> lanes);

    /** The same for one lane, with its answer. */
    default LaneBounds bounds(String lane) {
        return Objects.requireNonNull(bounds(List.of(lane)).get(lane)).get();
    }

    /**
     * Asks where these lanes end now, about all of them at once: a small question, which is asked again and again.
     *
     * @return for each lane, by its name, what waits for its answer: the offsets after the last record that can be read. It
     *     throws {@link SourceUnavailableException} if this one lane can't be told of; for that it doesn't wait long
     */
    default Map<String, Supplier<Offsets>> ends(Collection<String> lanes) {
        Map<String, Supplier<Offsets>> ends = new HashMap<>();
        bounds(lanes).forEach((lane, asked) -> ends.put(lane, () -> asked.get().latest()));
        return ends;
    }

    /**
     * Asks for the first record of each partition whose timestamp isn't before a time. Partitions without such a record are
     * left out.
     *
     * @param lane the lane that is asked about, and no other; null for all that there are
     * @throws TopicNotFoundException if the topic of one that is asked about doesn't exist now
     * @throws UnsupportedOperationException if the source knows no times
     */
    default Offsets at(@Nullable String lane, Instant time) {
        throw new UnsupportedOperationException(
                "The source of topics " + topics() + " can't find records by their time");
    }

    /** Begins to read. From here on the listener hears of lanes that come and go. Returns at once. */
    void start(LaneListener listener);

    /** Stops reading and gives all lanes back; the listener hears of that before this method returns. */
    void stop();

    /** Tells the source that a lane's intake changed: it wants more, or a seek, or has a new position. */
    void wakeUp();
}
