package io.github.tandemstreams.checkpoint;

import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.source.LaneId;
import java.util.UUID;

/**
 * What an owner believes of a lane. Every write compares all of it with the lane's row, in the same statement or under the
 * row's lock; if anything moved, somebody else owns the lane now, and nothing is written. The position belongs in it:
 * after a restore epochs repeat.
 *
 * @param lane the lane
 * @param epoch fencing number that the claim returned
 * @param owner random token of the claim
 * @param lastBatch id of the last batch committed, -1 if none
 * @param position where the next batch starts
 */
public record Fence(LaneId lane, long epoch, UUID owner, long lastBatch, Offsets position) {

    /** What the owner believes after it has committed the next batch. */
    public Fence after(Plan committed) {
        return new Fence(
                lane,
                epoch,
                owner,
                committed.batch(),
                position.merge(committed.range().ends()));
    }
}
