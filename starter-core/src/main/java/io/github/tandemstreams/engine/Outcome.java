package io.github.tandemstreams.engine;

import io.github.tandemstreams.source.LaneId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How a batch's transaction ended. */
sealed interface Outcome {

    /** Why it isn't known to be committed; null if it is, or belongs to somebody else. */
    default @Nullable Throwable failure() {
        return null;
    }

    /**
     * Everything is in the database.
     *
     * @param planned lanes whose plans rode along
     * @param refused those whose plans were to ride along, and didn't
     */
    record Committed(List<Result> results, List<Lane> planned, List<Lane> refused) implements Outcome {}

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

        @Override
        public Throwable failure() {
            return cause;
        }
    }

    /**
     * COMMIT was sent and its answer never came: everything was written, or nothing.
     *
     * @param riders lanes whose plans were to ride along
     */
    record Unknown(List<Result> perhaps, List<Lane> riders, Throwable cause) implements Outcome {

        @Override
        public Throwable failure() {
            return cause;
        }
    }
}
