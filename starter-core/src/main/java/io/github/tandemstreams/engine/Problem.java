package io.github.tandemstreams.engine;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What keeps a stream from starting, or its source from being read.
 *
 * @param text what it is now
 * @param since when it began, whatever it was then
 */
record Problem(String text, Instant since) {

    /** The same trouble by another name, or a new one if there was none before. */
    static Problem after(@Nullable Problem before, String text, Instant now) {
        return new Problem(text, before == null ? now : before.since());
    }
}
