package io.github.tandemstreams.engine;

import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.simulation.Audit;
import io.github.tandemstreams.simulation.Chooser;
import io.github.tandemstreams.simulation.Crash;
import io.github.tandemstreams.simulation.Run;
import io.github.tandemstreams.simulation.SimulatedClock;
import io.github.tandemstreams.simulation.SimulatedDatabase;
import io.github.tandemstreams.simulation.SimulatedLog;
import io.github.tandemstreams.simulation.SimulatedTransactionManager;
import io.github.tandemstreams.simulation.Steps;
import io.github.tandemstreams.source.LaneStart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * One run: two instances of the real engine over one lane or a few, from an empty checkpoint until the lanes stand at the
 * end of their logs and nobody has anything to do.
 *
 * <p>Threading: one thread has the turn at any time; each instance has one, the first one that of the run. Who has the turn
 * decides on the spot who is next, and only when that is the other worker the turn goes to another thread.
 */
final class Simulation {

    static final String STREAM = "simulated";

    private static final ExecutorService THREADS =
            Executors.newCachedThreadPool(task -> Threads.daemon("simulated-instance", task));

    final SimulatedClock clock = new SimulatedClock();
    final SimulatedDatabase database = new SimulatedDatabase();
    final List<SimulatedLog> logs;
    final Audit audit;
    final List<SimulatedInstance> instances = new ArrayList<>();

    final Setup setup;
    private final Scheduler scheduler;
    private @Nullable String violation;
    private boolean secondLives;

    /**
     * What is simulated.
     *
     * @param members the two instances; the first has all lanes at first
     * @param lanes how many there are
     * @param records offsets of each log's records; a marker follows the last one
     * @param bad offsets of records that the handler can't process
     * @param maxAttempts runs of a batch before the bad records are looked for
     * @param storage what the instances store with
     * @param limits what the scheduler may do
     */
    record Setup(
            List<SimulatedInstance.Member> members,
            int lanes,
            List<Long> records,
            Set<Long> bad,
            int maxAttempts,
            Storage storage,
            Scheduler.Limits limits) {}

    /** Makes what an instance stores with. */
    @FunctionalInterface
    interface Storage {

        Checkpoint checkpoint(SimulatedDatabase database, Steps steps, Audit audit);

        default PlatformTransactionManager transactions(SimulatedDatabase database, Steps steps) {
            return new SimulatedTransactionManager(database, steps);
        }
    }

    Simulation(Setup setup, Chooser chooser) {
        this.setup = setup;
        String owner = setup.members().get(0).name();
        this.logs = IntStream.range(0, setup.lanes())
                .mapToObj(number -> new SimulatedLog(number, setup.records(), owner))
                .toList();
        this.audit = new Audit(STREAM, logs, database, setup.bad(), this::violated);
        this.scheduler = new Scheduler(this, setup.limits(), chooser);
    }

    /** The pruner keeps as little as it can. */
    void prune() {
        scheduler.operator.prune(STREAM, 1);
    }

    Checkpoint checkpoint(Steps steps) {
        return setup.storage().checkpoint(database, steps, audit);
    }

    PlatformTransactionManager transactions(Steps steps) {
        return setup.storage().transactions(database, steps);
    }

    Run run() {
        Map<String, LaneStart> starts = new HashMap<>();
        logs.forEach(log -> starts.putAll(log.start()));
        scheduler.operator.register(STREAM, List.of(SimulatedLog.TOPIC), starts);
        database.watch(audit);
        setup.members().forEach(member -> instances.add(new SimulatedInstance(this, member)));
        passTurn(Objects.requireNonNull(scheduler.next()));
        live(0);
        return new Run(Optional.ofNullable(violation), scheduler.trace());
    }

    /** All lives of one of the instances, on this thread. */
    private void live(int index) {
        while (!scheduler.isOver()) {
            SimulatedInstance instance = instances.get(index);
            instance.live();
            if (!scheduler.isOver()) {
                instances.set(index, new SimulatedInstance(this, instance.member));
                passTurn(scheduler.next());
            }
        }
    }

    /** The first promise that is broken ends the run. */
    void violated(String what) {
        if (!scheduler.isOver()) {
            violation = what;
            scheduler.end();
        }
    }

    // ---- turns

    /**
     * The instance has come to a step, and others may go first. Returns when it is to go on.
     *
     * @throws Crash if the run is over
     */
    void handOver(SimulatedInstance instance) {
        SimulatedInstance next = scheduler.next();
        if (next != instance) {
            passTurn(next);
            instance.awaitTurn();
        }
    }

    /** If there is no next one, the run is over, and all threads leave. */
    private void passTurn(@Nullable SimulatedInstance next) {
        if (next == null) {
            instances.forEach(SimulatedInstance::crash);
            instances.forEach(SimulatedInstance::giveTurn);
        } else {
            if (!secondLives && next == instances.get(1)) {
                secondLives = true;
                THREADS.execute(() -> live(1));
            }
            next.giveTurn();
        }
    }
}
