package io.github.tandemstreams.engine;

import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.checkpoint.Fence;
import io.github.tandemstreams.checkpoint.Trouble;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down what is known of a batch that has failed or was found by a claim, before each of its runs and trials: so a
 * record that takes the process down with it can't do so for ever. A fresh batch costs nothing.
 *
 * <p>The invariant: whoever is written down as having begun, and isn't there any more, died in it. So whoever lives takes
 * that back when the lane is no longer its own, be it fenced, revoked or stopped; a rebalance in the middle of a batch is
 * no death.
 *
 * <p>Threading: used by several workers; has no state.
 */
final class TroubleLog {

    private static final Logger log = LoggerFactory.getLogger(TroubleLog.class);

    private final Checkpoint checkpoint;

    TroubleLog(Checkpoint checkpoint) {
        this.checkpoint = checkpoint;
    }

    /**
     * Writes it, and that the lane's owner is at the batch.
     *
     * @return false if the lane has another owner by now
     */
    boolean note(Lane lane, Trouble trouble) {
        // Before it is sent: it may be written though no answer comes.
        lane.begun = lane.owned();
        if (!checkpoint.note(lane.owned(), trouble)) {
            return false;
        }
        lane.trouble = trouble;
        return true;
    }

    /** Writes down that a run of the batch in hand begins, if it isn't a fresh one. */
    boolean begin(Lane lane) {
        if (!lane.mustNoteAttempt()) {
            return true;
        }
        int survived = lane.attempts - lane.trouble.begun().size();
        boolean noted = note(lane, lane.trouble.attempts(survived));
        if (noted) {
            lane.attemptsNoted = lane.attempts;
        }
        return noted;
    }

    /** Tells that what was begun under an earlier claim has ended, if that is yet to be told. */
    void ended(Lane lane) {
        Fence begun = lane.begun;
        if (begun != null) {
            checkpoint.ended(begun);
            lane.begun = null;
        }
    }

    /** The same for one that is let go; if the database doesn't answer, it will look like a death. */
    void letGo(Lane lane) {
        try {
            ended(lane);
        } catch (RuntimeException unreachable) {
            log.debug("{}: can't tell that a run of its batch ended", lane.id, unreachable);
        }
    }
}
