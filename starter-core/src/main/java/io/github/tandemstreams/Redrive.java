package io.github.tandemstreams;

import org.jspecify.annotations.Nullable;

/**
 * How a re-drive ended.
 *
 * @param outcome what happened
 * @param failure what the handler or the database threw; null unless it failed
 */
public record Redrive(Outcome outcome, @Nullable Throwable failure) {

    /** What happened. */
    public enum Outcome {
        /** The record's effects and its mark as processed are committed. */
        DONE,
        /** It failed again and waits as before. */
        FAILED,
        /** It doesn't wait: it was processed, discarded or superseded, perhaps just now by somebody else. */
        NOT_WAITING,
        /** With {@code dead-letter.hold-key}: an earlier one of its key waits, and comes first. */
        BEHIND_ANOTHER
    }
}
