package io.github.tandemstreams.source;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One assignment of a lane, as the source sees it. Everything here is level-triggered: the source looks before each poll
 * and needs to remember nothing in between.
 *
 * <p>Threading: called on the source's thread only.
 */
public interface LaneIntake {

    /** The offset to seek to before the next poll; once for each seek that a worker asked for. */
    OptionalLong takeSeek();

    /** The seek to this offset was done: what comes from now on belongs to it. */
    void opened(long offset);

    /** Whether the lane has room for more records. If not, it is paused. False before it was opened. */
    boolean wantsMore();

    /** Records that were read, in offset order. Dropped if the intake isn't open. */
    void accept(List<RawRecord> records);

    /**
     * How far the source has read: every record below this offset that will ever be visible was handed over. It may be
     * beyond the last record (transaction markers, compaction). Called after the records of a poll.
     *
     * @param logEnd the end of the log, if the source has just seen it; not what it saw once and hasn't heard of since
     */
    void reached(long position, OptionalLong logEnd);

    /** The offset sought doesn't exist in the source, or not any more. */
    void outOfRange();

    /** What the source may tell others about the lane's progress, for lag tools only; empty before it was claimed. */
    Optional<Progress> progress();

    /**
     * Progress of a lane.
     *
     * @param position where the next batch starts
     * @param metadata evidence of what was committed: generation and last batch id
     */
    record Progress(long position, String metadata) {}
}
