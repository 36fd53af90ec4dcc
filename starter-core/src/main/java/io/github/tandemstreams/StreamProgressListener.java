package io.github.tandemstreams;

/**
 * Hears of streams and their batches on this instance. All beans of this type are called. Named after Spark's {@code
 * StreamingQueryListener}.
 *
 * <p>Threading: called on worker threads, after the transaction, and on the thread that starts or stops a stream; must be
 * quick. Exceptions are logged and change nothing.
 */
public interface StreamProgressListener {

    /** The stream runs on this instance: lanes come as they are assigned. */
    default void onStarted(String stream) {}

    /** A batch was committed. Called once for each batch, and not again for one whose acknowledgement was lost. */
    default void onCommitted(StreamProgress progress) {}

    /** The lane has committed all that there is. Called once, and again after a later batch. */
    default void onIdle(String stream, String lane) {}

    /** A batch failed and will be tried again. */
    default void onRetry(String stream, String lane, Throwable cause) {}

    /** Another instance or a command took the lane over; what was being done here is rolled back. */
    default void onFenced(String stream, String lane) {}

    /**
     * The lane stopped as {@link LaneState#FAILED}.
     *
     * @param problem why, as it stands in the lane's row; it may quote what records hold, as {@code cause} above may
     */
    default void onFailed(String stream, String lane, String problem) {}

    /** The stream runs no longer on this instance. */
    default void onStopped(String stream) {}
}
