package io.github.tandemstreams.engine;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.Effects;
import io.github.tandemstreams.OnFailure;
import io.github.tandemstreams.simulation.Crash;
import io.github.tandemstreams.simulation.Failures;
import io.github.tandemstreams.simulation.Fate;
import io.github.tandemstreams.simulation.Option;
import io.github.tandemstreams.simulation.Point;
import io.github.tandemstreams.simulation.SimulatedDatabase;
import io.github.tandemstreams.simulation.SimulatedSource;
import io.github.tandemstreams.simulation.Steps;
import io.github.tandemstreams.source.LaneId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One life of an instance: the engine's own worker, on a thread of its own that runs only while it has the turn, and stops
 * at each {@link Point} to give it away.
 */
final class SimulatedInstance implements Steps {

    private static final Backoff SHORT = new Backoff(Duration.ofMillis(1), Duration.ofMillis(1));

    final Member member;
    final SimulatedSource source;

    private final Simulation simulation;
    private final Worker worker;
    private final Semaphore turn = new Semaphore(0);

    private Point point = Point.TURN;
    private String action = "starts";
    private Fate fate = Fate.GOES_ON;
    private boolean idle = true;
    private boolean woken;
    private @Nullable BooleanSupplier awaited;
    private boolean crashed;

    /**
     * An instance's configuration.
     *
     * @param name of the instance
     * @param maxRecords in a batch; where two instances differ, they would cut the same records otherwise
     * @param effects what its handler declares
     */
    record Member(String name, int maxRecords, Effects effects) {}

    SimulatedInstance(Simulation simulation, Member member) {
        this.simulation = simulation;
        this.member = member;
        this.source = new SimulatedSource(simulation.logs, member.name(), this);
        StreamDefinition<Long> stream = stream();
        this.worker = new Worker(
                stream,
                new LaneClaimer(stream, simulation.clock),
                new ProgressReporter(List.of(), member.name(), simulation.clock),
                new ReentrantReadWriteLock(),
                simulation.clock);
        source.start(new Lanes(stream.name(), stream.limits(), List.of(worker), LagReporter.Pace.DEFAULT.knownFor()));
    }

    private StreamDefinition<Long> stream() {
        return StreamDefinition.<Long>named(Simulation.STREAM)
                .source(source)
                .decoders(() -> record -> record.offset())
                .sink(this::write)
                .effects(member.effects())
                .checkpoint(simulation.checkpoint(this))
                .transactionManager(simulation.transactions(this))
                .limits(new Limits(member.maxRecords(), 1000, 1000))
                .failurePolicy(new FailurePolicy(
                        simulation.setup.maxAttempts(), SHORT, OnFailure.DEAD_LETTER, 100, false, true))
                .build();
    }

    // ---- for whoever has the turn

    boolean isRunnable() {
        return awaited == null ? !idle : awaited.getAsBoolean();
    }

    /** What may go wrong now. While it waits for a lock nothing can. */
    List<Fate> faults() {
        return awaited == null ? point.faults() : List.of();
    }

    String action() {
        return awaited == null ? action : action + " (goes on after its wait)";
    }

    /** Something has happened that its worker would be woken for. */
    void wake() {
        woken = true;
        idle = false;
    }

    /** Decides how it goes on when it has the turn. */
    void goOn(Option option) {
        fate = option.fate();
        crashed |= fate.isCrash();
    }

    void crash() {
        goOn(Option.fault(Fate.CRASH));
    }

    void giveTurn() {
        turn.release();
    }

    void awaitTurn() {
        turn.acquireUninterruptibly();
    }

    // ---- its thread

    /** Lives until it dies, or the run is over. */
    void live() {
        awaitTurn();
        try {
            while (!crashed) {
                woken = false;
                boolean busy = worker.runOnce();
                idle = !busy && !woken;
                if (idle) {
                    simulation.prune();
                }
                reach(Point.TURN, idle ? "wakes up" : "next turn");
            }
        } catch (Crash dead) {
            // By this way it leaves whatever it was in.
        } catch (Throwable unknown) {
            simulation.violated("the engine lets an error through: " + unknown);
        }
    }

    private void write(Batch<Long> batch) {
        if (member.effects() == Effects.ANYWHERE && !batch.isTrial()) {
            simulation.audit.given(batch, batch.transactionId().toString());
        }
        switch (reach(Point.HANDLER, name(batch))) {
            case HANDLER_FAILS -> throw new IllegalStateException("simulated: the handler fails");
            case REFUSED -> throw Failures.refused();
            default -> batch.records().forEach(record -> write(batch, record.offset()));
        }
    }

    private static String name(Batch<?> batch) {
        return (batch.isTrial() ? "trial of " : "handler of batch ") + batch.id() + ", " + batch.range();
    }

    private void write(Batch<Long> batch, long offset) {
        if (simulation.setup.bad().contains(offset)) {
            throw new IllegalArgumentException("simulated: the record at " + offset + " is bad");
        }
        simulation.database.write(new LaneId(Simulation.STREAM, batch.lane()), batch.id(), offset);
    }

    @Override
    public Fate reach(Point reached, String what) {
        if (crashed) {
            throw new Crash();
        }
        point = reached;
        action = what;
        simulation.handOver(this);
        if (fate == Fate.CRASH) {
            throw new Crash();
        }
        return fate;
    }

    @Override
    public void await(SimulatedDatabase database, BooleanSupplier condition) {
        awaited = condition;
        simulation.handOver(this);
        awaited = null;
        if (crashed) {
            throw new Crash();
        }
    }

    @Override
    public boolean isCrashed() {
        return crashed;
    }
}
