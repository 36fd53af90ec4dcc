package io.github.tandemstreams.checkpoint;

import io.github.tandemstreams.BatchReport;
import io.github.tandemstreams.LaneReport;
import io.github.tandemstreams.StreamReport;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the stored truth tells people of streams, over all instances. Each method runs in a transaction of its own.
 *
 * <p>Threading: safe for use by several threads.
 */
public interface ReportStore {

    /** These streams, in the order of their names. One that was never started has no row, and is left out. */
    List<StreamReport> streams(Collection<String> streams);

    /** The lanes of a stream, in the order of their names. */
    List<LaneReport> lanes(String stream);

    /**
     * Batches of a stream, the newest first; where it has many lanes, the newest ones of each.
     *
     * @param lane only those of this lane; null for all
     */
    List<BatchReport> batches(String stream, @Nullable String lane, int limit);

    /** The last batch whose range has an offset; one that was given up only if there is no other. */
    Optional<BatchReport> batchOf(String stream, String topic, int partition, long offset);

    /** The batch of a lane with the lowest id. */
    Optional<BatchReport> oldestBatch(String stream, String lane);

    /**
     * Stores where lanes end, as this instance saw them. Compares nothing: it is for reports only.
     *
     * @param ends with how long ago each was seen
     */
    void seen(Map<LaneEnd, Duration> ends);
}
