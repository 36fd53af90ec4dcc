package io.github.tandemstreams;

import java.time.Duration;
import java.time.Instant;

/**
 * A batch that was committed.
 *
 * @param stream name of the stream
 * @param lane name of the lane
 * @param batchId id of the batch in its lane
 * @param range offsets that it covered
 * @param records records handed to the handler
 * @param deadLetters records that became dead letters
 * @param committedAt when its commit was acknowledged
 * @param duration from the start of its transaction to the acknowledged commit
 */
public record StreamProgress(
        String stream,
        String lane,
        long batchId,
        OffsetRange range,
        int records,
        int deadLetters,
        Instant committedAt,
        Duration duration) {}
