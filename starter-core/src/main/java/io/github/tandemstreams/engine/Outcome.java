package io.github.tandemstreams.engine;

import io.github.tandemstreams.source.LaneId;
import java.util.List;
import java.util.Set;

/** How a batch's transaction ended. */
sealed interface Outcome {

    /** Everything is in the database. */
    record Committed(List<Result> results) implements Outcome {}

    /** Nothing was written: these lanes belong to somebody else by now. */
    record Fenced(Set<LaneId> lanes) implements Outcome {}

    /**
     * Nothing was written: something threw, or the database said no.
     *
     * @param atCommit whether it was COMMIT that failed, as it does where a deferred constraint is violated
     */
    record Failed(Throwable cause, boolean atCommit) implements Outcome {
        Failed(Throwable cause) {
            this(cause, false);
        }
    }

    /** COMMIT was sent and its answer never came: everything was written, or nothing. */
    record Unknown(List<Result> perhaps, Throwable cause) implements Outcome {}
}
