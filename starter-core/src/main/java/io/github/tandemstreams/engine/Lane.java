package io.github.tandemstreams.engine;

import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.LaneStatus;
import io.github.tandemstreams.LaneStatus.Backlog;
import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.checkpoint.Checkpoint.PlannedBatch;
import io.github.tandemstreams.checkpoint.Claim;
import io.github.tandemstreams.checkpoint.Fence;
import io.github.tandemstreams.checkpoint.Plan;
import io.github.tandemstreams.checkpoint.RecordKey;
import io.github.tandemstreams.checkpoint.Trouble;
import io.github.tandemstreams.checkpoint.Verdict;
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.source.LaneIntake;
import io.github.tandemstreams.source.RawRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One assignment of a lane to this instance: its state machine and its buffer. If the lane is revoked and comes back, it
 * comes back as another object, so nothing of the old assignment can be taken for the new one's.
 *
 * <pre>
 *   UNCLAIMED --claim--> RUNNING | HELD (paused or failed, until a command)
 *   RUNNING   --compare failed--> UNCLAIMED      (buffer and plan dropped)
 *   RUNNING   --outcome unknown--> IN_DOUBT --re-claim where epoch = mine--> RUNNING | UNCLAIMED
 *   RUNNING   --given up--> HELD
 * </pre>
 *
 * <p>Threading: the fields below "worker's" belong to the lane's worker alone. The intake's methods are called by the
 * source's thread and touch only the buffer and volatile fields.
 */
final class Lane implements LaneIntake {

    enum Phase {
        UNCLAIMED,
        IN_DOUBT,
        RUNNING,
        HELD
    }

    final LaneId id;
    final LaneBuffer buffer = new LaneBuffer();

    private final int maxBufferedRecords;
    private final LongSupplier maxBufferedBytes;
    private final Duration endKnownFor;
    private final Runnable signal;

    // Shared: written by one thread, read by others.
    private volatile boolean revoked;
    private volatile boolean outOfRange;
    private volatile LogEnd logEnd = LogEnd.UNKNOWN;
    private volatile @Nullable Progress progress;
    private volatile LaneStatus status;

    /** When it was assigned, committed last, was resumed, or could be claimed after all. */
    private volatile long movedAt = System.nanoTime();

    /** From when on the trigger lets the batch after the last commit begin; it stays so while that batch is tried. */
    private volatile Instant dueAt = Instant.MIN;

    /** Timestamp of the record that a lane which is held would go on with, as far as it is known. */
    private volatile @Nullable Instant oldestHeld;

    // The worker's.
    Phase phase = Phase.UNCLAIMED;

    @Nullable
    Claim claim;

    @Nullable
    Fence fence;

    long nextOffset;

    @Nullable
    Plan plan;

    List<RawRecord> inHand = List.of();

    @Nullable
    Result doubtful;

    boolean planned;
    boolean planAhead;
    boolean alone;

    // Of the batch in hand, if it has failed or was found by a claim.
    boolean found;

    /** Runs that failed, and those of others that have no end: as far as is known, they died in them. */
    int attempts;

    /** What it was when it was written last; -1 if it wasn't, under this claim. */
    int attemptsNoted = -1;

    /** The fence that runs of a batch were written under as begun, if their end is yet to be told. */
    @Nullable
    Fence begun;

    Trouble trouble = Trouble.NONE;
    boolean isolating;
    int searchesTimedOut;
    boolean died;
    boolean failedAtCommit;

    @Nullable
    Throwable lastFailure;

    boolean untriable;
    boolean withoutSavepoints;
    int deadInARow;

    /** Whether records of the lane may wait as dead letters; known after they were looked for. */
    boolean mayHold = true;

    Set<RecordKey> heldKeys = Set.of();
    int failures;

    /** How often rivals took it since the last commit, or the last command. */
    int fencings;

    int claimFailures;

    /** How long it took to plan the batch in hand ahead. */
    Duration planning = Duration.ZERO;

    /** When the last batch that was committed here began. */
    @Nullable
    Instant lastStart;

    private long freeSince = System.nanoTime();
    private boolean toldIdle;
    private boolean held;

    Instant notBefore = Instant.MIN;
    Instant nextTrigger = Instant.MIN;
    Instant compared = Instant.MIN;

    @Nullable
    Instant aheadSince;

    @Nullable
    Instant beyondEndSince;

    @Nullable
    String problem;

    /** When the first of the claims failed that have failed in a row; null if none did. */
    private @Nullable Instant unclaimableSince;

    /**
     * @param maxBufferedBytes this lane's share of the bytes that may be buffered, which changes with the number of lanes
     * @param endKnownFor how long the end of its log counts as known after it was told
     * @param signal wakes the lane's worker
     */
    Lane(LaneId id, int maxBufferedRecords, LongSupplier maxBufferedBytes, Duration endKnownFor, Runnable signal) {
        this.id = id;
        this.maxBufferedRecords = maxBufferedRecords;
        this.maxBufferedBytes = maxBufferedBytes;
        this.endKnownFor = endKnownFor;
        this.signal = signal;
        this.status = describe();
    }

    /** Name of the one partition that the lane covers. */
    String partition() {
        return id.lane();
    }

    // ---- transitions, on the worker

    /** The claim succeeded and the lane may run: from the start of the plan that was left, or from the position. */
    void run(Claim claimed, long start) {
        taken(claimed, Phase.RUNNING);
        boolean moved = start != nextOffset;
        nextOffset = start;
        plan = claimed.plan().orElse(null);
        planned = plan != null;
        planAhead = true;
        found = plan != null;
        trouble = claimed.trouble();
        attempts = trouble.attempts() + trouble.begun().size();
        untriable |= trouble.verdict().map(Verdict::named).orElse(false);
        alone = attempts > 0;
        deadInARow = claimed.deadInARow();
        mayHold = true;
        beyondEndSince = null;
        buffer.seek(start, plan == null ? start : plan.range().ends().get(partition()));
        free();
        due(moved);
        if (moved || held || claimFailures > 0) {
            movedAt = freeSince;
        }
        held = false;
        told();
    }

    /** A batch that was due and wasn't committed is due still. After another one's, only a plan that was left is due. */
    private void due(boolean moved) {
        if (!moved) {
            nextTrigger = dueAt;
        } else {
            dueAt = plan == null ? nextTrigger : Instant.MIN;
        }
    }

    /** The claim succeeded, but the lane is paused or failed. */
    void hold(Claim claimed) {
        taken(claimed, Phase.HELD);
        problem = claimed.failure();
        held = true;
        oldestHeld = inHand.isEmpty() ? null : LogEnd.time(inHand.get(0).timestamp());
        inHand = List.of();
        buffer.close();
        told();
    }

    /**
     * Where a lane stands that is held, for others to see: lower than before, if it was rewound.
     *
     * @param generation of the lane, after a look at what was reported of it before
     */
    void report(int generation) {
        Claim heldWith = claimed().withGeneration(generation);
        Fence known = owned();
        claim = heldWith;
        Long position = known.position().byPartition().get(partition());
        if (position != null) {
            progress = new Progress(position, Evidence.of(generation, known.lastBatch()));
        }
    }

    private void taken(Claim claimed, Phase next) {
        phase = next;
        forgetTrouble();
        claim = claimed;
        fence = claimed.fence();
        plan = null;
        problem = null;
        unclaimableSince = null;
        aheadSince = null;
    }

    /** Somebody else owns the lane: what was read and planned here is dropped. */
    void fenced(Instant retryAt) {
        fencings++;
        drop(retryAt);
    }

    /** A command took the lane from us, and is nobody to wait for. */
    void commanded(Instant claimAt) {
        fencings = 0;
        drop(claimAt);
    }

    /** What it failed of is told of a lane that is held, and of no other: it may quote what records hold. */
    private void drop(Instant claimAt) {
        phase = Phase.UNCLAIMED;
        problem = null;
        fence = null;
        plan = null;
        doubtful = null;
        inHand = List.of();
        forgetTrouble();
        notBefore = claimAt;
        buffer.close();
        told();
    }

    /** Whether the last transaction was committed isn't known; only a claim can tell. */
    void doubt(@Nullable Result perhaps, Instant retryAt) {
        phase = Phase.IN_DOUBT;
        doubtful = perhaps;
        failures++;
        inHand = List.of();
        notBefore = retryAt;
        buffer.close();
        told();
    }

    /**
     * The batch was committed, and perhaps the next one's plan with it.
     *
     * @return whether the lane's reading stood still until now
     */
    boolean committed(Plan done, Optional<Plan> next, int deadLetters, int deadLettersInARow) {
        forgetTrouble();
        begun = null;
        deadInARow = deadLettersInARow;
        mayHold |= deadLetters > 0;
        fence = owned().after(done);
        nextOffset = done.range().ends().get(partition());
        plan = next.orElse(null);
        inHand = List.of();
        planned = next.isPresent();
        planAhead = false;
        alone = false;
        failures = 0;
        fencings = 0;
        problem = null;
        aheadSince = null;
        notBefore = Instant.MIN;
        boolean full = buffer.dropBefore(nextOffset, maxBufferedRecords, maxBufferedBytes.getAsLong());
        free();
        movedAt = freeSince;
        dueAt = nextTrigger;
        toldIdle = false;
        told();
        return full;
    }

    /** Another batch, or the same one after a claim: what was known of the last one's failures is history. */
    private void forgetTrouble() {
        found = false;
        attempts = 0;
        attemptsNoted = -1;
        trouble = Trouble.NONE;
        isolating = false;
        searchesTimedOut = 0;
        died = false;
        failedAtCommit = false;
        lastFailure = null;
    }

    /** Whether the next run of the batch must be written down before it begins, and isn't yet. */
    boolean mustNoteAttempt() {
        return (found || attempts > 0) && attemptsNoted != attempts;
    }

    /** The batch in hand failed and is run again, by itself and with its plan in the offset log. */
    void retry(Instant at, String why) {
        failures++;
        alone = true;
        planAhead = true;
        notBefore = at;
        problem = why;
        free();
        told();
    }

    /** From now on it waits for a worker, as soon as it has records. */
    void free() {
        freeSince = System.nanoTime();
        planning = Duration.ZERO;
    }

    /** How long its records have been waiting for a worker, with their plan written, until this {@link System#nanoTime()}. */
    Duration waited(long until) {
        long waiting = Math.min(until - freeSince, until - buffer.filledSince()) - planning.toNanos();
        return Duration.ofNanos(Math.max(0, waiting));
    }

    /** Runs of the batch in hand that failed, whatever the reason, as far as is known here. */
    int failedRuns() {
        return Math.max(attempts, failures);
    }

    /** Ends of its partitions; not before the batch in hand, which was read. Null if they aren't known. */
    @Nullable
    Offsets latest() {
        OptionalLong end = knownEnd();
        if (end.isEmpty()) {
            return null;
        }
        long read = plan().range().ends().get(partition());
        return Offsets.of(partition(), Math.max(end.getAsLong(), read));
    }

    /** True once when it has nothing to do any more. */
    boolean fallsIdle() {
        if (toldIdle || phase != Phase.RUNNING || plan != null || aheadSince != null) {
            return false;
        }
        toldIdle = buffer.isEmpty() && lag(status).orElse(1) == 0;
        return toldIdle;
    }

    /** The database or the source couldn't be reached; the phase stays as it is. */
    void notClaimed(Instant retryAt, String why) {
        notBefore = retryAt;
        problem = why;
        if (unclaimableSince == null) {
            unclaimableSince = Instant.now();
        }
        told();
    }

    /** What writes the plan in hand ahead. */
    PlannedBatch toPlan() {
        return new PlannedBatch(owned(), plan());
    }

    /** Takes the records of the plan in hand; false while they aren't all here. */
    boolean take() {
        OffsetRange range = plan().range();
        Optional<List<RawRecord>> taken =
                buffer.take(range.starts().get(partition()), range.ends().get(partition()));
        taken.ifPresent(records -> inHand = records);
        return taken.isPresent();
    }

    /** The different keys of the records in hand. */
    Set<RecordKey> keysInHand() {
        return new HashSet<>(keysByOffset().values());
    }

    /** The keys of the records in hand that have one. */
    Map<Long, RecordKey> keysByOffset() {
        Map<Long, RecordKey> keys = new HashMap<>();
        for (RawRecord record : inHand) {
            if (record.key() != null) {
                keys.put(record.offset(), new RecordKey(record.key()));
            }
        }
        return keys;
    }

    Fence owned() {
        if (fence == null) {
            throw new IllegalStateException(id + " isn't claimed");
        }
        return fence;
    }

    Claim claimed() {
        if (claim == null) {
            throw new IllegalStateException(id + " isn't claimed");
        }
        return claim;
    }

    Plan plan() {
        if (plan == null) {
            throw new IllegalStateException(id + " has no plan");
        }
        return plan;
    }

    /** Makes the present state visible to other threads. */
    void told() {
        Fence known = fence;
        if (known != null && phase == Phase.RUNNING) {
            progress = new Progress(nextOffset, Evidence.of(claimed().generation(), known.lastBatch()));
        }
        status = describe();
    }

    private LaneStatus describe() {
        Fence known = phase == Phase.UNCLAIMED ? null : fence;
        LaneState state = phase == Phase.HELD && claim != null ? claim.state() : LaneState.ACTIVE;
        if (known == null) {
            return new LaneStatus(
                    id.lane(),
                    state,
                    false,
                    0,
                    -1,
                    Offsets.none(),
                    OptionalLong.empty(),
                    failures,
                    problem,
                    new Backlog(0, 0, null, unclaimableSince));
        }
        return new LaneStatus(
                id.lane(),
                state,
                true,
                known.epoch(),
                known.lastBatch(),
                known.position(),
                OptionalLong.empty(),
                failures,
                problem,
                Backlog.NONE);
    }

    // ---- any thread

    LaneStatus status() {
        LaneStatus now = status;
        OptionalLong lag = lag(now);
        return new LaneStatus(
                now.lane(),
                now.state(),
                now.claimed(),
                now.epoch(),
                now.lastBatch(),
                now.position(),
                lag,
                now.retries(),
                now.problem(),
                backlog(now, now.claimed() && logEnd.isBeyond(position(now))));
    }

    private Backlog backlog(LaneStatus now, boolean behind) {
        LaneBuffer.Content content = buffer.content();
        boolean runs = now.state() == LaneState.ACTIVE;
        Instant oldest = runs
                ? content.oldest().stream().mapToObj(LogEnd::time).findFirst().orElse(null)
                : oldestHeld;
        return new Backlog(
                content.records(),
                content.bytes(),
                behind ? oldest : null,
                now.claimed() ? behindSince(behind && runs) : now.backlog().since());
    }

    /** The time until the trigger lets a batch begin doesn't count. */
    private @Nullable Instant behindSince(boolean behind) {
        Instant due = dueAt;
        if (!behind || due.isAfter(Instant.now())) {
            return null;
        }
        Instant since = logEnd.behindSince(movedAt);
        return due.isAfter(since) ? due : since;
    }

    private OptionalLong lag(LaneStatus now) {
        OptionalLong end = knownEnd();
        if (!now.claimed() || end.isEmpty()) {
            return OptionalLong.empty();
        }
        // The position is sampled before the end, and what was committed since can only make the lag smaller.
        return OptionalLong.of(Math.max(0, end.getAsLong() - position(now)));
    }

    private long position(LaneStatus now) {
        return now.position().byPartition().getOrDefault(partition(), 0L);
    }

    private OptionalLong knownEnd() {
        return logEnd.within(endKnownFor);
    }

    /** The source has just seen where the log ends. */
    synchronized void logEnd(long offset) {
        logEnd = logEnd.then(offset, position(status));
    }

    /** The answer to who asked where the log ends when this was known; of no interest if more was told meanwhile. */
    synchronized void logEnd(LogEnd before, long offset) {
        if (logEnd.equals(before)) {
            logEnd(offset);
        }
    }

    /** Where the log ends, as it was told last. */
    LogEnd logEnd() {
        return logEnd;
    }

    boolean isRevoked() {
        return revoked;
    }

    void revoke() {
        revoked = true;
        buffer.close();
        signal.run();
    }

    /** Whether the source said that the offset sought doesn't exist; asked once. */
    boolean takeOutOfRange() {
        boolean taken = outOfRange;
        outOfRange = false;
        return taken;
    }

    // ---- the source's thread

    @Override
    public OptionalLong takeSeek() {
        return revoked ? OptionalLong.empty() : buffer.takeSeek();
    }

    @Override
    public void opened(long offset) {
        buffer.opened();
    }

    @Override
    public boolean wantsMore() {
        return !revoked && buffer.wantsMore(maxBufferedRecords, maxBufferedBytes.getAsLong());
    }

    @Override
    public void accept(List<RawRecord> records) {
        if (buffer.accept(records)) {
            signal.run();
        }
    }

    @Override
    public void reached(long position, OptionalLong end) {
        if (end.isPresent()) {
            logEnd(end.getAsLong());
        }
        if (buffer.reached(position)) {
            signal.run();
        }
    }

    @Override
    public void outOfRange() {
        outOfRange = true;
        buffer.close();
        signal.run();
    }

    @Override
    public Optional<Progress> progress() {
        return Optional.ofNullable(progress);
    }
}
