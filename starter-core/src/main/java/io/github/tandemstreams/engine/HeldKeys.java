package io.github.tandemstreams.engine;

import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.checkpoint.DeadLetterStore;
import java.util.Set;

/**
 * Looks up which records of a batch must wait behind dead letters of their keys, where {@code dead-letter.hold-key} asks for
 * that. Only the lane's own batches can make them more, so a lane without any isn't asked again before it parks a record.
 *
 * <p>Threading: belongs to one worker.
 */
final class HeldKeys {

    private final boolean wanted;
    private final Checkpoint checkpoint;

    HeldKeys(StreamDefinition<?> stream) {
        this.wanted = stream.failurePolicy().holdKey();
        this.checkpoint = stream.checkpoint();
    }

    /** Right before the records are decoded: what was re-driven by then is no longer waited for. */
    void lookUp(Lane lane) {
        if (wanted && lane.mayHold) {
            DeadLetterStore deadLetters = checkpoint.deadLetters();
            lane.mayHold = deadLetters.anyWaiting(lane.id);
            lane.heldKeys = lane.mayHold ? deadLetters.waitingKeys(lane.id, lane.keysInHand()) : Set.of();
        }
    }
}
