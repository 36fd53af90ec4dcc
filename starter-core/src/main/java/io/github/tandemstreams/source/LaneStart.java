package io.github.tandemstreams.source;

import io.github.tandemstreams.Offsets;

/**
 * Where a lane starts that was never read.
 *
 * @param topic the lane's topic
 * @param topicId identity of that topic; empty if the source can't tell
 * @param position first offsets to read
 */
public record LaneStart(String topic, String topicId, Offsets position) {}
