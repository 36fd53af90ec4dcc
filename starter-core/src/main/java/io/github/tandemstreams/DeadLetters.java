package io.github.tandemstreams;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The records that could not be processed, and what can be done about them.
 *
 * <p>Threading: may be called from any thread on which no transaction is bound. Throws {@link IllegalArgumentException} for
 * a stream that isn't configured here, and when the database can't be reached {@link
 * org.springframework.transaction.TransactionException} or {@link org.springframework.dao.DataAccessException}.
 */
public interface DeadLetters {

    /**
     * The dead letters of a stream that wait for a decision, parked or held, in the order in which they were parked.
     *
     * @param afterId only those with a higher id; 0 for the first page
     * @param limit how many at most
     */
    List<DeadLetterRecord> waiting(String stream, long afterId, int limit);

    /** A dead letter, in whatever state it is. */
    Optional<DeadLetterRecord> find(String stream, long id);

    /**
     * Runs the stream's handler on the record, on a thread that nothing is bound to, in a transaction of its own which also
     * marks it as processed: exactly once, however many try at the same time. Its {@link TransactionId} is
     * {@code stream/dead-letter/topic id/partition-offset} with the number of times that it was parked as version.
     *
     * <p>If it fails, nothing is written but the new cause, in place of the old one.
     */
    Redrive redrive(String stream, long id);

    /**
     * Re-drives all that wait, one after the other in their order, each in a transaction of its own. One that fails stays,
     * and the others go on. When the stream is stopped on this instance, those that it hasn't come to wait as before.
     *
     * @return how many were processed
     */
    int redriveAll(String stream);

    /**
     * Gives a record up: it is never processed.
     *
     * @param reason why, for those who look at the table later
     * @return false if it doesn't wait any more
     */
    boolean discard(String stream, long id, String reason);

    /**
     * Erases key, value, headers and the texts of the cause of dead letters that were parked before a time, for privacy. One
     * that waits is thereby discarded. What it was, and where it stood, stays.
     *
     * @return how many were erased
     */
    int erase(String stream, Instant parkedBefore);

    /** Erases, in the same way, all dead letters with this key. */
    int eraseKey(String stream, byte[] key);
}
