package io.github.tandemstreams.engine;

import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.checkpoint.Fence;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * Compares idle lanes with the table. A lane that commits learns in every commit whether it is still owned; an idle one
 * would never hear of an operator's command or of a take-over, and nobody would claim it again.
 *
 * <p>Threading: belongs to one worker.
 */
final class LaneWatch {

    /** How long a lane may go without being compared. */
    static final Duration PERIOD = Duration.ofSeconds(2);

    private final Checkpoint checkpoint;

    LaneWatch(Checkpoint checkpoint) {
        this.checkpoint = checkpoint;
    }

    /**
     * Compares the lanes that are due, in one query.
     *
     * @param moved told of those that somebody else has claimed
     * @param commanded told of those that a command took away
     */
    void compare(Collection<Lane> lanes, Instant now, Consumer<Lane> moved, Consumer<Lane> commanded) {
        List<Lane> due = lanes.stream().filter(lane -> isDue(lane, now)).toList();
        if (due.isEmpty()) {
            return;
        }
        due.forEach(lane -> lane.compared = now);
        List<Fence> fences = due.stream().map(Lane::owned).toList();
        Checkpoint.Holding holding = checkpoint.holding(fences);
        for (Lane lane : due) {
            if (holding.commanded().contains(lane.id)) {
                commanded.accept(lane);
            } else if (!holding.mine().contains(lane.id)) {
                moved.accept(lane);
            }
        }
    }

    /** When the next comparison is due. */
    Instant nextDue(Collection<Lane> lanes) {
        return lanes.stream()
                .filter(LaneWatch::isOwned)
                .map(lane -> lane.compared.plus(PERIOD))
                .min(Instant::compareTo)
                .orElse(Instant.MAX);
    }

    private static boolean isDue(Lane lane, Instant now) {
        return isOwned(lane) && !lane.compared.plus(PERIOD).isAfter(now);
    }

    private static boolean isOwned(Lane lane) {
        return lane.phase == Lane.Phase.RUNNING || lane.phase == Lane.Phase.HELD;
    }
}
