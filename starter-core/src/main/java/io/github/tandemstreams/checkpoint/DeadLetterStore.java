package io.github.tandemstreams.checkpoint;

import io.github.tandemstreams.DeadLetterRecord;
import io.github.tandemstreams.sink.Cause;
import io.github.tandemstreams.source.LaneId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The dead letters of streams. All methods but {@link #take} run in a transaction of their own.
 *
 * <p>Threading: safe for use by several threads.
 */
public interface DeadLetterStore {

    /** Those that wait, parked or held, by id. */
    List<DeadLetterRecord> waiting(String stream, long afterId, int limit);

    /** One of them; waits for a transaction that is about it, so that what it says is final. */
    Optional<DeadLetterRecord> find(String stream, long id);

    /**
     * Marks one that waits as processed, in the transaction that is bound to the thread, whose other work must be what
     * processing it means. Its row's lock excludes a second re-drive, a discard and a rewind.
     *
     * @param inOrderOfKeys whether it must be the first one of its key in its lane that waits
     * @return empty if it doesn't wait, or isn't the first
     */
    Optional<DeadLetterRecord> take(String stream, long id, boolean inOrderOfKeys);

    /** Notes that a re-drive failed: counts it, and puts its cause in the place of the one before. */
    void redriveFailed(String stream, long id, Cause cause);

    /** Gives one up that waits; false if it doesn't. */
    boolean discard(String stream, long id, String reason);

    /** Erases the contents of those parked before a time; those that wait are discarded. */
    int erase(String stream, Instant parkedBefore);

    /** Erases the contents of those with this key; those that wait are discarded. */
    int eraseKey(String stream, byte[] key);

    /** Deletes those that were settled before a time, unless a re-drive that isn't done may have to know of them. */
    int prune(String stream, Instant settledBefore);

    /** Which of these keys have a record of the lane that waits. */
    Set<RecordKey> waitingKeys(LaneId lane, Collection<RecordKey> keys);

    /** Whether any record of the lane waits. */
    boolean anyWaiting(LaneId lane);
}
