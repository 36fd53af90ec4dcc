package io.github.tandemstreams.checkpoint;

import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.source.LaneStart;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The stored truth of streams: lanes, offset log, commit log and dead letters.
 *
 * <p>All methods but {@link #commit} run in a transaction of their own, at READ COMMITTED, and must be called while no
 * transaction is bound to the thread. Failures are thrown as they come; {@link #classify} tells what they mean. A
 * failure of one of these transactions never tells whether it was committed: whoever needs to know claims again.
 *
 * <p>Threading: safe for use by several threads.
 */
public interface Checkpoint {

    /** Topics of the stream that have been registered, empty for a stream that was never started. */
    Set<String> topics(String stream);

    /**
     * Settles what a stream keeps from its first start on: stores those of the settings that it has no value for yet.
     *
     * @return what is stored
     */
    Map<String, String> settle(String stream, Map<String, String> settings);

    /**
     * Registers topics of a stream, and the lanes that they have now, in one transaction. Topics that are registered
     * already, perhaps by another instance in this moment, keep the lanes that they have.
     *
     * @return the topics that this call registered
     */
    Set<String> register(String stream, Collection<String> topics, Map<String, LaneStart> lanes);

    /** Adds the row of a lane that its topic gained later. Does nothing if it exists. */
    void add(LaneId lane, LaneStart start);

    /**
     * Takes the lane over: raises the epoch and sets the owner, which waits for a commit in flight; then, in a second
     * statement, reads the plan that was left. In another database cluster than the one of the last claim, or on another
     * timeline of it, the lane's generation is raised: ids that were used since may have been forgotten.
     *
     * @param owner random token, new for each claim
     * @return empty if the lane has no row
     */
    Optional<Claim> claim(LaneId lane, UUID owner);

    /**
     * Takes the lane over again if nobody else has done so: settles a commit whose outcome is unknown.
     *
     * @param epoch the epoch of the doubtful commit
     * @return empty if the lane has another epoch by now
     */
    Optional<Claim> reclaim(LaneId lane, long epoch, UUID owner);

    /**
     * Raises the generation of a lane, if the fence holds: ids of plans from now on are new, whatever was forgotten.
     *
     * @return false if the fence doesn't hold
     */
    boolean raiseGeneration(Fence fence, int generation);

    /**
     * Writes plans ahead. A plan is written only if its fence holds, under the lock of the lane's row, and if its
     * batch id has none yet; what a plan row says is never changed.
     *
     * @return the lanes whose plan was written. The others are to be claimed again
     */
    Set<LaneId> plan(List<PlannedBatch> plans);

    /**
     * Commits batches: moves the lanes' rows, writes the commit log, dead letters and the plans that ride along, in the
     * transaction that is bound to the thread, as its last statements. They also bound the time that the transaction may
     * wait for its COMMIT.
     *
     * <p>Plans of other lanes may ride along too, each written as {@link #plan} writes it, but without any wait: a lane whose
     * row somebody else holds is left out, so that these lanes can hold up nothing and deadlock with nobody.
     *
     * @param riding plans of lanes that are none of the commits'; only where {@link #plansMayRide()}
     * @return the lanes whose fence held and whose keys were free. If one of the commits' is missing, the caller must roll
     *     back and claim the missing lanes again; a conflict of keys leaves all of those out. A lane of {@code riding} that is
     *     missing has no plan, and is to be claimed again after COMMIT
     */
    Set<LaneId> commit(List<Commit> commits, List<PlannedBatch> riding);

    /**
     * Whether plans of other lanes may ride along with a commit. At the isolation levels above READ COMMITTED they can't: that
     * one of those lanes was claimed elsewhere would roll back the transaction. Costs no statement.
     */
    boolean plansMayRide();

    /**
     * Puts a limit to the time that the transaction bound to the thread may sit idle, so that a process that is paused in
     * the handler can't hold the user's row locks for ever. Called at the begin of each batch's transaction; costs a
     * statement only where the sessions of this database have no limit, or a longer one.
     */
    void limitIdleTime(Duration limit);

    /**
     * Whether the database still answers on the connection of the transaction that is bound to the thread, if only that the
     * transaction has failed.
     */
    boolean answers();

    /** How many databases the running transaction has connections of, its own one included. Costs no statement. */
    int boundConnections();

    /** Which of these fences still hold, and which lanes a command took away; one query for all. */
    Holding holding(Collection<Fence> fences);

    /**
     * Whose lanes are.
     *
     * @param mine lanes whose fence holds
     * @param commanded lanes whose fence doesn't hold and that have no owner: an operator's command took them away, and nobody
     *     has claimed them since. All others were claimed by somebody else
     */
    record Holding(Set<LaneId> mine, Set<LaneId> commanded) {

        public Holding {
            mine = Set.copyOf(mine);
            commanded = Set.copyOf(commanded);
        }
    }

    /**
     * Writes what is known of the failures of batch {@code lastBatch + 1}, with its plan, if the fence holds; and that the
     * fence's owner is at it now. Who else began a run is left as it is.
     *
     * @return false if it doesn't hold, or there is no such plan
     */
    boolean note(Fence fence, Trouble trouble);

    /**
     * Tells that the owner of the fence is no longer at batch {@code lastBatch + 1}, and lives. Compares nothing: this is
     * said by those who lost the lane, too, and does nothing where the owner never noted anything.
     */
    void ended(Fence fence);

    /**
     * Asks the database whether the transaction bound to the thread is still sound: an error that was swallowed in it
     * throws here.
     *
     * @param deferredConstraints whether to check now, too, what it would check at COMMIT
     */
    void verify(boolean deferredConstraints);

    /** The dead letters that were parked. */
    DeadLetterStore deadLetters();

    /** What is told of streams to people. */
    ReportStore reports();

    /** Name of this instance, as it is stored with claims and commits. */
    String instance();

    /** The commands of operators. */
    CommandStore commands();

    /**
     * Marks a lane as failed, if its fence holds.
     *
     * @param foundTopicId identity of the topic that was found instead of the lane's, if it failed for that: a command that moves
     *     the lane moves it into that topic. Null otherwise
     * @return false if the fence doesn't hold
     */
    boolean fail(Fence fence, String failure, @Nullable String foundTopicId);

    /**
     * Records that offsets are gone and goes on after them: batch {@code lastBatch + 1} becomes one of status {@code lost}
     * with no records, which ends where the lane goes on. A plan that was left for that id is burnt with it.
     *
     * @return false if the fence doesn't hold
     */
    boolean skip(Fence fence, Plan gap, String topicId);

    /**
     * Deletes log rows that are older than the last {@code retain} batches of each lane. What is old is computed from the
     * lane's row.
     *
     * @return rows deleted
     */
    int prune(String stream, int retain);

    /** What a failure means. */
    FailureKind classify(Throwable failure);

    /**
     * What may be told of an exception beside its class and its stack trace where nobody is to read what records hold, as in a
     * log: what the database says of itself. The message of an exception may quote a row.
     *
     * @param failure one exception; its causes are asked for one by one
     * @return empty if there is nothing of the kind
     */
    default Optional<String> withoutContents(Throwable failure) {
        return Optional.empty();
    }

    /**
     * Does what helps a transient failure to pass. To be called after its transaction was rolled back, before the next try.
     */
    default void recover(Throwable failure) {}

    /**
     * Whether a failure of COMMIT leaves its outcome open. False if the database said that it rolled back.
     */
    boolean isInDoubt(Throwable commitFailure);

    /**
     * A plan to write ahead.
     *
     * @param fence what the owner believes of the lane
     * @param plan the plan
     */
    record PlannedBatch(Fence fence, Plan plan) {}

    /** Position of a lane without claiming it, for operators and tests; empty if it has no row. */
    Optional<Offsets> position(LaneId lane);
}
