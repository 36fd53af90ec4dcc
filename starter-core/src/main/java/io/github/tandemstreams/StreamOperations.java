package io.github.tandemstreams;

import java.util.Collection;

/**
 * Starts, stops, pauses and resumes streams. Starting and stopping concern this instance; pausing and resuming are commands
 * in the name of this instance, as {@link StreamCommands} gives them: they are stored with the lanes, hold for every instance
 * and survive restarts and rebalances.
 *
 * <p>Threading: may be called from any thread. Throws {@link IllegalArgumentException} for a stream that isn't configured
 * here, {@link CommandRefusedException} for a lane that it doesn't have or a stream that was never started, and when
 * the database can't be reached {@link org.springframework.transaction.TransactionException} or {@link
 * org.springframework.dao.DataAccessException}.
 */
public interface StreamOperations {

    /** Names of the streams that are configured here. */
    Collection<String> streams();

    /** What the stream does on this instance. */
    StreamStatus status(String stream);

    /**
     * Starts the stream on this instance; does nothing if it runs. Returns at once. A stream that an operator stopped on all
     * instances ({@link StreamCommand.Action#STOP}) starts when an operator starts it.
     */
    void start(String stream);

    /** Stops the stream on this instance in an orderly way: a running batch is finished or rolled back. Waits for that. */
    void stop(String stream);

    /** Pauses all lanes of the stream, on every instance. A batch that runs while the command comes is rolled back. */
    void pause(String stream);

    /** Pauses one lane, wherever it runs. A batch that runs while the command comes is rolled back. */
    void pause(String stream, String lane);

    /** Lets all paused and failed lanes of the stream go on, from where they stood. */
    void resume(String stream);

    /** Lets one paused or failed lane go on, from where it stood. */
    void resume(String stream, String lane);
}
