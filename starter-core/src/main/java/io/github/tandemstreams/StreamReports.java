package io.github.tandemstreams;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What Postgres knows of the streams that are configured here: all of their lanes, whichever instances they run on.
 *
 * <p>Threading: may be called from any thread on which no transaction is bound. All methods throw {@link
 * IllegalArgumentException} for a stream that isn't configured here, and when the database can't be reached {@link
 * org.springframework.transaction.TransactionException} or {@link org.springframework.dao.DataAccessException}.
 */
public interface StreamReports {

    /** All streams, in the order of their names. */
    List<StreamReport> streams();

    /** One of them. */
    StreamReport stream(String stream);

    /** The lanes of a stream, in the order of their names. */
    List<LaneReport> lanes(String stream);

    /**
     * The batches of a stream that the logs still have, the newest first.
     *
     * @param lane only those of this lane; null for all
     * @param limit how many at most
     */
    List<BatchReport> batches(String stream, @Nullable String lane, int limit);

    /** The batch whose range has an offset: the last one, if a rewind made it several. Empty if the logs don't have it. */
    Optional<BatchReport> batchOf(String stream, String topic, int partition, long offset);

    /** The oldest batch of a lane that the logs still have. Empty if they have none of it. */
    Optional<BatchReport> oldestBatch(String stream, String lane);
}
