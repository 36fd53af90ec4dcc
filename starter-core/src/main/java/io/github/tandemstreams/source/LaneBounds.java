package io.github.tandemstreams.source;

import io.github.tandemstreams.Offsets;

/**
 * What the source holds of a lane now.
 *
 * @param topicId identity of the topic; another one after the topic was deleted and created again. Empty if the source
 *     can't tell
 * @param earliest first offsets that still exist
 * @param latest offsets after the last record that can be read
 */
public record LaneBounds(String topicId, Offsets earliest, Offsets latest) {}
