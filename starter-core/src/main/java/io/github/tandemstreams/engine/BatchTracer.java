package io.github.tandemstreams.engine;

import io.github.tandemstreams.source.RawRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Traces the runs of batches. Exceptions of a tracer fail the run, so an implementation lets none through.
 *
 * <p>Threading: used by all workers; what it returns belongs to one.
 */
public interface BatchTracer {

    /** Traces nothing. */
    BatchTracer NONE = (stream, lane, batch, records) -> Trace.NONE;

    /**
     * A run of a batch begins.
     *
     * @param records what the batch holds, undecoded
     */
    Trace begin(String stream, String lane, long batch, List<RawRecord> records);

    /** The trace of one run. */
    interface Trace {

        /** Of nothing. */
        Trace NONE = new Trace() {};

        /** Id of the trace that the run is part of; null if there is none. */
        default @Nullable String id() {
            return null;
        }

        /** The handler begins on this thread. */
        default Step handler() {
            return Step.NONE;
        }

        /** The commit begins on this thread: our statement, and COMMIT. Lanes that share a transaction each have one. */
        default Step commit() {
            return Step.NONE;
        }

        /**
         * The run is over.
         *
         * @param failure why it was rolled back, or that nobody knows; null if it was committed, or fenced
         */
        default void end(@Nullable Throwable failure) {}
    }

    /** A part of a run. */
    @FunctionalInterface
    interface Step {

        /** Of nothing. */
        Step NONE = failure -> {};

        /**
         * It is over, on the thread that it began on. Steps end in the reverse of the order in which they began.
         *
         * @param failure what it threw; null if it didn't
         */
        void end(@Nullable Throwable failure);
    }
}
