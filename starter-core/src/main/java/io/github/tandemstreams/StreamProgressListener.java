package io.github.tandemstreams;

/**
 * Hears of batches. All beans of this type are called. Named after Spark's {@code StreamingQueryListener}.
 *
 * <p>Threading: called on worker threads, after the transaction; must be quick. Exceptions are logged and change nothing.
 */
public interface StreamProgressListener {

    /** A batch was committed. Called once for each batch, and not again for one whose acknowledgement was lost. */
    default void onCommitted(StreamProgress progress) {}

    /** A batch failed and will be tried again. */
    default void onRetry(String stream, String lane, Throwable cause) {}

    /** Another instance or a command took the lane over; what was being done here is rolled back. */
    default void onFenced(String stream, String lane) {}

    /** The lane stopped as {@link LaneState#FAILED}. */
    default void onFailed(String stream, String lane, String problem) {}
}
