package io.github.tandemstreams.source;

import io.github.tandemstreams.Offsets;
import org.jspecify.annotations.Nullable;

/**
 * What the source holds of a lane now.
 *
 * @param topicId identity of the topic; another one after the topic was deleted and created again. Empty if the source
 *     can't tell
 * @param earliest first offsets that still exist
 * @param latest offsets after the last record that can be read
 * @param reported what was last reported as the lane's progress ({@link LaneIntake.Progress#metadata()}), as far as the source
 *     keeps it; null if it doesn't know
 */
public record LaneBounds(
        String topicId,
        Offsets earliest,
        Offsets latest,
        @Nullable String reported) {}
