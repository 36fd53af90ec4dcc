package io.github.tandemstreams.engine;

import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.source.LaneId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.CannotCreateTransactionException;

/**
 * Runs the batches of its lanes, one transaction after the other, on one connection.
 *
 * <p>Threading: {@link #runOnce} and all lane state belong to the worker's thread; {@link #adopt}, {@link #signal},
 * {@link #recheck} and {@link #stop} may be called from any.
 */
final class Worker implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(Worker.class);

    /** Upper bound of a wait, so that a mistake in a due time is a delay and not a hang. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    /** Lanes that run already don't wait for more claims than that, when many come at once. */
    private static final int CLAIMS_A_TURN = 10;

    /** Nor do those that were claimed first wait longer for the others: a claim may wait for locks. */
    private static final Duration CLAIMING = Duration.ofSeconds(1);

    /** A lane that has records and no plan waits for the commit of others, where that is a matter of so little time. */
    private static final Duration SHORT_RUN = Duration.ofMillis(20);

    private final StreamDefinition<?> stream;
    private final Checkpoint checkpoint;
    private final LaneClaimer claimer;
    private final LaneWatch watch;
    private final BatchPlanner planner;
    private final BatchTransaction<?> transaction;
    private final Isolation<?> isolation;
    private final TroubleLog troubles;
    private final HeldKeys heldKeys;
    private final SearchLock searches;
    private final Aftermath aftermath;
    private final Clock clock;

    private final Queue<Lane> adopted = new ConcurrentLinkedQueue<>();
    private final AtomicInteger load = new AtomicInteger();
    private final Object monitor = new Object();
    private boolean signalled;
    private volatile boolean recheck;
    private volatile boolean stopped;

    /** The thread's own; the lane that was served last stands last. */
    private final List<Lane> lanes = new ArrayList<>();

    private Duration lastRun = Duration.ZERO;

    /** @param searches one for all workers of the stream on this instance */
    Worker(
            StreamDefinition<?> stream,
            LaneClaimer claimer,
            ProgressReporter reporter,
            ReadWriteLock searches,
            Clock clock) {
        this.stream = stream;
        this.checkpoint = stream.checkpoint();
        this.claimer = claimer;
        this.watch = new LaneWatch(checkpoint);
        this.planner = new BatchPlanner(stream);
        this.transaction = new BatchTransaction<>(stream, planner, clock);
        this.troubles = new TroubleLog(checkpoint);
        this.searches = new SearchLock(searches, () -> stopped);
        this.heldKeys = new HeldKeys(stream);
        this.isolation = new Isolation<>(stream, troubles, heldKeys, this.searches, () -> stopped);
        this.aftermath = new Aftermath(stream, troubles, reporter, clock);
        this.clock = clock;
    }

    // ---- any thread

    void adopt(Lane lane) {
        load.incrementAndGet();
        adopted.add(lane);
        signal();
    }

    /** How many lanes the worker has. */
    int load() {
        return load.get();
    }

    void signal() {
        synchronized (monitor) {
            signalled = true;
            monitor.notifyAll();
        }
    }

    /** Compares all lanes with the table now, since a command was given. */
    void recheck() {
        recheck = true;
        signal();
    }

    /** Begins no further batch. */
    void stop() {
        stopped = true;
        signal();
    }

    // ---- the worker's thread

    @Override
    public void run() {
        try {
            runUntilStopped();
        } finally {
            letGo();
        }
    }

    private void runUntilStopped() {
        while (!stopped) {
            // Only a stop interrupts a worker; a handler may have left its thread interrupted, which ends nothing.
            Thread.interrupted();
            try {
                if (!runOnce()) {
                    await();
                }
            } catch (InterruptedException interrupted) {
                if (stopped) {
                    Thread.currentThread().interrupt();
                    return;
                }
                log.debug("Stream '{}': a handler left its thread interrupted", stream.name(), interrupted);
            } catch (Throwable unexpected) {
                log.error(
                        "Stream '{}': a worker met an error that it doesn't know; nothing of this turn was committed"
                                + " unseen, its lanes are claimed again: {}",
                        stream.name(),
                        new SafeText(checkpoint).withFrames(unexpected));
                log.debug("Stream '{}': the error in full", stream.name(), unexpected);
                lanes.forEach(aftermath::unexpected);
            }
        }
    }

    /** The stream was stopped, which is no death of the process. */
    private void letGo() {
        boolean interrupted = Thread.interrupted();
        lanes.forEach(troubles::letGo);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * One turn: see which lanes came and went, compare idle ones, claim what is to be claimed, take what is ready, plan
     * it, run it.
     *
     * @return whether there was anything to do
     * @throws InterruptedException if the stream is being stopped while the turn waits for another worker's search
     */
    boolean runOnce() throws InterruptedException {
        welcome();
        compareIdle();
        boolean claimed = claimDue();
        List<Lane> group = takeReady(clock.instant());
        tellIdle();
        if (group.isEmpty()) {
            return claimed;
        }
        planAhead(group);
        if (group.size() == 1 && group.get(0).isolating) {
            isolate(group.get(0));
            return true;
        }
        noteAttempts(group);
        if (!group.isEmpty()) {
            transact(group);
        }
        return true;
    }

    private void welcome() {
        for (Lane lane = adopted.poll(); lane != null; lane = adopted.poll()) {
            lanes.add(lane);
        }
        lanes.removeIf(lane -> {
            if (lane.isRevoked()) {
                load.decrementAndGet();
                troubles.letGo(lane);
            }
            return lane.isRevoked();
        });
        for (Lane lane : lanes) {
            if (lane.takeOutOfRange() && lane.phase == Lane.Phase.RUNNING) {
                aftermath.outOfRange(lane);
            }
        }
    }

    private void compareIdle() {
        if (recheck) {
            recheck = false;
            lanes.forEach(lane -> lane.compared = Instant.MIN);
        }
        try {
            watch.compare(lanes, clock.instant(), aftermath::movedAway, aftermath::commanded);
        } catch (RuntimeException unreachable) {
            log.debug("Stream '{}': idle lanes couldn't be compared; next try soon", stream.name(), unreachable);
        }
    }

    private boolean claimDue() {
        Instant now = clock.instant();
        List<Lane> due = lanes.stream()
                .filter(lane -> lane.phase == Lane.Phase.UNCLAIMED || lane.phase == Lane.Phase.IN_DOUBT)
                .filter(lane -> !lane.notBefore.isAfter(now))
                .limit(CLAIMS_A_TURN)
                .toList();
        Instant enough = now.plus(CLAIMING);
        claimer.claim(
                due, lane -> !stopped && !lane.isRevoked() && clock.instant().isBefore(enough), aftermath::claimed);
        return !due.isEmpty();
    }

    /**
     * The lanes that share the next transaction: as many as are ready, up to one batch's worth of records. A lane whose
     * last run failed runs alone. Those that still need a plan don't hold up the others: theirs rides along.
     */
    private List<Lane> takeReady(Instant now) {
        List<Lane> ready = lanes.stream()
                .filter(lane -> mayRun(lane) && planner.prepare(lane, now))
                .toList();
        boolean othersRide = lastRun.compareTo(SHORT_RUN) < 0
                && checkpoint.plansMayRide()
                && ready.stream().anyMatch(lane -> !lane.alone && !planner.mustPlanAhead(lane));
        List<Lane> group = new ArrayList<>();
        int records = 0;
        for (Lane lane : ready) {
            if (othersRide && planner.mustPlanAhead(lane) && !lane.alone) {
                continue;
            }
            if (lane.alone) {
                if (group.isEmpty()) {
                    group.add(lane);
                    break;
                }
                continue;
            }
            int more = lane.inHand.size();
            if (group.isEmpty() || records + more <= planner.size().records()) {
                group.add(lane);
                records += more;
            }
        }
        lanes.removeAll(Set.copyOf(group));
        lanes.addAll(group);
        return group;
    }

    /** Those that have nothing to do since their last batch, or their claim; each once. */
    private void tellIdle() {
        for (Lane lane : lanes) {
            if (lane.fallsIdle()) {
                aftermath.idle(lane);
            }
        }
    }

    private static boolean mayRun(Lane lane) {
        return lane.phase == Lane.Phase.RUNNING && !lane.isRevoked();
    }

    /**
     * The lanes that have records and no plan yet, while this group runs: their plans ride along with its commit. No more of
     * them than the next transaction could take: the longer a plan waits, the shorter it was cut.
     */
    private List<Lane> riders(List<Lane> group) {
        if (!checkpoint.plansMayRide()) {
            return List.of();
        }
        Instant now = clock.instant();
        List<Lane> riders = new ArrayList<>();
        int records = 0;
        for (Lane lane : lanes) {
            if (records < planner.size().records()
                    && mayRun(lane)
                    && planner.mustPlanAhead(lane)
                    && !group.contains(lane)
                    && planner.prepareToRide(lane, now)) {
                riders.add(lane);
                records += lane.inHand.size();
            }
        }
        return riders;
    }

    /** Writes the plans that must stand before their batches run. Lanes that lost their claim leave the group. */
    private void planAhead(List<Lane> group) {
        List<Lane> ahead = group.stream().filter(planner::mustPlanAhead).toList();
        if (ahead.isEmpty()) {
            return;
        }
        try {
            Stopwatch watch = new Stopwatch();
            Set<LaneId> planned =
                    checkpoint.plan(ahead.stream().map(Lane::toPlan).toList());
            Duration took = watch.lap();
            for (Lane lane : ahead) {
                if (planned.contains(lane.id)) {
                    lane.planned = true;
                    lane.planning = took;
                } else {
                    group.remove(lane);
                    aftermath.fenced(lane);
                }
            }
        } catch (CannotCreateTransactionException notBegun) {
            // Nothing was sent, so there is nothing to find out.
            group.removeAll(ahead);
            ahead.forEach(lane -> aftermath.of(List.of(lane), new Outcome.Failed(notBegun)));
        } catch (RuntimeException unknown) {
            group.removeAll(ahead);
            ahead.forEach(lane -> aftermath.unknown(lane, null, "its plan couldn't be written", unknown));
        }
    }

    private void noteAttempts(List<Lane> group) {
        for (Lane lane : List.copyOf(group)) {
            try {
                if (!troubles.begin(lane)) {
                    aftermath.fenced(lane);
                    group.remove(lane);
                }
            } catch (RuntimeException unreachable) {
                aftermath.of(List.of(lane), new Outcome.Failed(unreachable));
                group.remove(lane);
            }
        }
    }

    private void isolate(Lane lane) {
        Isolation.Finding finding = isolation.judge(lane);
        lane.compared = clock.instant();
        aftermath.of(lane, finding);
    }

    private void transact(List<Lane> group) throws InterruptedException {
        Outcome outcome = searches.besideOthers(() -> runAll(group));
        Instant now = clock.instant();
        group.forEach(lane -> lane.compared = now);
        if (outcome instanceof Outcome.Committed committed) {
            lastRun = Duration.between(committed.results().get(0).run().startedAt(), now);
            planner.size().measured(records(group), lastRun);
        }
        // A run that a stop broke off is no failure of its batch.
        if (!stopped || outcome instanceof Outcome.Committed) {
            aftermath.of(group, outcome);
        }
    }

    private static int records(List<Lane> group) {
        return group.stream().mapToInt(lane -> lane.inHand.size()).sum();
    }

    private Outcome runAll(List<Lane> group) {
        try {
            group.forEach(heldKeys::lookUp);
        } catch (RuntimeException unreachable) {
            return new Outcome.Failed(unreachable);
        }
        return transaction.run(group, () -> riders(group));
    }

    private void await() throws InterruptedException {
        Instant now = clock.instant();
        Instant due = watch.nextDue(lanes);
        for (Lane lane : lanes) {
            Instant next = planner.nextDue(lane, now);
            if (next.isBefore(due)) {
                due = next;
            }
        }
        long millis = waitFor(now, due).toMillis();
        synchronized (monitor) {
            if (!signalled) {
                monitor.wait(millis);
            }
            signalled = false;
        }
    }

    /** At least a moment: what is due already and can't be done now must not become a busy loop. */
    private static Duration waitFor(Instant now, Instant due) {
        if (!due.isAfter(now.plusMillis(1))) {
            return Duration.ofMillis(1);
        }
        return due.isAfter(now.plus(LONGEST_WAIT)) ? LONGEST_WAIT : Duration.between(now, due);
    }
}
