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

    /** Nothing was written: something threw, or the database said no. */
    record Failed(Throwable cause) implements Outcome {}

    /** COMMIT was sent and its answer never came: everything was written, or nothing. */
    record Unknown(List<Result> perhaps, Throwable cause) implements Outcome {}
}
