package io.github.tandemstreams.simulation;

import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.checkpoint.Commit;
import io.github.tandemstreams.checkpoint.Fence;
import io.github.tandemstreams.source.LaneId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Storage with one rule broken, to see that the search finds it. */
public final class PlantedFaults {

    private PlantedFaults() {}

    /** Nothing is compared: neither epoch nor owner, neither last batch nor position. */
    public static Checkpoint withoutCompare(SimulatedDatabase database, Steps steps, Audit audit) {
        return new SimulatedCheckpoint(database, steps, audit::claimed) {

            @Override
            protected boolean holds(Rows.Lane row, Fence fence) {
                return true;
            }
        };
    }

    /** A claim reads the plan in the statement that takes the lane, whose snapshot may be older than what it waited for. */
    public static Checkpoint oneStatementClaim(SimulatedDatabase database, Steps steps, Audit audit) {
        return new SimulatedCheckpoint(database, steps, audit::claimed) {

            @Override
            Statement afterTaking(SimulatedConnection connection, Statement taking) {
                return taking;
            }
        };
    }

    /** A plan that was to ride along is taken for written, though its lane belongs to somebody else by now. */
    public static Checkpoint ridersBelieved(SimulatedDatabase database, Steps steps, Audit audit) {
        return new SimulatedCheckpoint(database, steps, audit::claimed) {

            @Override
            public Set<LaneId> commit(List<Commit> commits, List<PlannedBatch> riding) {
                Set<LaneId> held = new HashSet<>(super.commit(commits, riding));
                riding.forEach(rider -> held.add(rider.fence().lane()));
                return held;
            }
        };
    }

    /** A COMMIT without answer is taken for done, and with it the plan that rode along. */
    public static PlatformTransactionManager commitBelieved(SimulatedDatabase database, Steps steps) {
        return new SimulatedTransactionManager(database, steps) {

            private static final long serialVersionUID = 1;

            @Override
            protected void doCommit(DefaultTransactionStatus status) {
                try {
                    super.doCommit(status);
                } catch (DataAccessResourceFailureException noAnswer) {
                    logger.debug("believed", noAnswer);
                }
            }
        };
    }
}
