package io.github.tandemstreams.engine;

import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.StreamCommand.Action;
import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.simulation.Chooser;
import io.github.tandemstreams.simulation.Fate;
import io.github.tandemstreams.simulation.Option;
import io.github.tandemstreams.simulation.Run;
import io.github.tandemstreams.simulation.SimulatedCheckpoint;
import io.github.tandemstreams.simulation.SimulatedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides who moves next. Five actors stand in an order: each instance's consumer and worker, and the server, which has
 * transactions to end whose client is gone. The first that can move does; time passes when none can. At each decision the
 * {@link Chooser} may deviate.
 *
 * <p>Threading: whoever has the turn.
 */
final class Scheduler {

    /** More than any run needs that makes progress. */
    private static final int MOST_DECISIONS = 3000;

    private static final int MOST_TICKS = 60;
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration SHORT_TICK = Duration.ofMillis(1);

    /** What is done with it is no step: it stops nowhere, and is used only where it needn't wait. */
    final Checkpoint operator;

    private final Simulation simulation;
    private final Chooser chooser;
    private final List<Actor> order = new ArrayList<>();
    private final List<Run.Step> trace = new ArrayList<>();
    private int rebalancesLeft;
    private int commandsLeft;
    private int crashesLeft;
    private final boolean shortTicks;
    private final Set<Fate> never;
    private int ticks;
    private boolean over;

    /**
     * What it may do.
     *
     * @param rebalances how often a lane may move
     * @param commands how often an operator may interfere
     * @param crashes how often a process may die
     * @param shortTicks whether time may pass while somebody can move
     * @param never what never goes wrong
     */
    record Limits(int rebalances, int commands, int crashes, boolean shortTicks, Set<Fate> never) {}

    private enum Role {
        CONSUMER,
        WORKER,
        SERVER
    }

    private record Actor(Role role, int instance) {}

    Scheduler(Simulation simulation, Limits limits, Chooser chooser) {
        this.simulation = simulation;
        this.chooser = chooser;
        this.rebalancesLeft = limits.rebalances();
        this.commandsLeft = limits.commands();
        this.crashesLeft = limits.crashes();
        this.shortTicks = limits.shortTicks();
        this.never = limits.never();
        this.operator = SimulatedCheckpoint.ofOperator(simulation.database);
        for (int instance = 0; instance < 2; instance++) {
            order.add(new Actor(Role.CONSUMER, instance));
            order.add(new Actor(Role.WORKER, instance));
        }
        order.add(new Actor(Role.SERVER, -1));
    }

    boolean isOver() {
        return over;
    }

    void end() {
        over = true;
    }

    List<Run.Step> trace() {
        return trace;
    }

    /** Lets the others move until it is a worker's turn; null when the run is over. */
    @Nullable
    SimulatedInstance next() {
        while (!over) {
            Actor first = firstThatCanMove();
            if (first == null) {
                timePasses();
            } else if (decide(first) && first.role() == Role.WORKER) {
                return instance(first);
            }
        }
        return null;
    }

    private @Nullable Actor firstThatCanMove() {
        for (Actor actor : order) {
            if (canMove(actor)) {
                return actor;
            }
        }
        return null;
    }

    private boolean canMove(Actor actor) {
        return switch (actor.role()) {
            case CONSUMER -> instance(actor).source.isDue();
            case WORKER -> instance(actor).isRunnable();
            case SERVER -> simulation.database.orphans() > 0;
        };
    }

    private SimulatedInstance instance(Actor actor) {
        return simulation.instances.get(actor.instance());
    }

    // ---- one decision

    /** Returns whether the actor moves. */
    private boolean decide(Actor first) {
        if (trace.size() == MOST_DECISIONS) {
            simulation.violated("no end after " + MOST_DECISIONS + " decisions");
            return false;
        }
        List<Option> options = options(first);
        Option option = options.get(chooser.choose(options.size()));
        String action = act(first, option);
        trace.add(new Run.Step(name(first), action, option));
        return option.kind() == Option.Kind.GO_ON;
    }

    private List<Option> options(Actor first) {
        List<Option> options = new ArrayList<>();
        options.add(Option.GO_ON);
        if (first.role() == Role.WORKER) {
            for (Fate fault : instance(first).faults()) {
                if (!never.contains(fault) && (crashesLeft > 0 || !fault.isCrash())) {
                    options.add(Option.fault(fault));
                }
            }
        }
        if (order.indexOf(first) < order.size() - 1) {
            options.add(Option.of(Option.Kind.PUT_LAST));
        }
        if (rebalancesLeft > 0) {
            for (int lane = 0; lane < simulation.logs.size(); lane++) {
                options.add(Option.of(Option.Kind.REBALANCE, lane));
                options.add(Option.of(Option.Kind.REBALANCE_UNNOTICED, lane));
            }
        }
        if (first.role() != Role.SERVER && simulation.database.orphans() > 0) {
            options.add(Option.of(Option.Kind.SERVER_FIRST));
        }
        if (shortTicks) {
            options.add(Option.of(Option.Kind.TICK));
        }
        if (commandsLeft > 0 && simulation.database.isUnlocked()) {
            options.add(Option.of(Option.Kind.COMMAND));
        }
        return options;
    }

    private String act(Actor first, Option option) {
        return switch (option.kind()) {
            case GO_ON -> move(first, option);
            case PUT_LAST -> {
                order.remove(first);
                order.add(first);
                yield waits(first);
            }
            case REBALANCE -> rebalance(simulation.logs.get(option.lane()));
            case REBALANCE_UNNOTICED -> {
                SimulatedLog moving = simulation.logs.get(option.lane());
                Actor loser = consumerOf(moving.owner());
                order.remove(loser);
                order.add(loser);
                yield rebalance(moving);
            }
            case SERVER_FIRST -> simulation.database.finishOrphan();
            case TICK -> {
                pass(SHORT_TICK);
                yield "a little time passes";
            }
            case COMMAND -> command();
        };
    }

    private String move(Actor actor, Option option) {
        return switch (actor.role()) {
            case CONSUMER -> poll(instance(actor));
            case WORKER -> {
                String action = instance(actor).action();
                instance(actor).goOn(option);
                if (option.fate().isCrash()) {
                    crashesLeft--;
                }
                yield action;
            }
            case SERVER -> simulation.database.finishOrphan();
        };
    }

    private static String poll(SimulatedInstance instance) {
        String done = instance.source.poll();
        if (done == null) {
            return "has nothing to do";
        }
        instance.wake();
        return done;
    }

    private String waits(Actor actor) {
        return actor.role() == Role.WORKER ? "stops before: " + instance(actor).action() : "stops";
    }

    private String rebalance(SimulatedLog moving) {
        rebalancesLeft--;
        String other = simulation.instances.stream()
                .map(instance -> instance.member.name())
                .filter(name -> !name.equals(moving.owner()))
                .findFirst()
                .orElseThrow();
        moving.assign(other);
        return moving.partition() + " is assigned to " + other;
    }

    private Actor consumerOf(String name) {
        return order.stream()
                .filter(actor -> actor.role() == Role.CONSUMER
                        && instance(actor).member.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private String command() {
        commandsLeft--;
        boolean paused = changesAny(Action.PAUSE);
        if (!paused) {
            changesAny(Action.RESUME);
        }
        return "an operator " + (paused ? "pauses" : "resumes") + " all lanes";
    }

    private boolean changesAny(Action action) {
        return !operator.commands()
                .give(StreamCommand.of(Simulation.STREAM, action))
                .lanes()
                .isEmpty();
    }

    private String name(Actor actor) {
        return switch (actor.role()) {
            case CONSUMER -> "consumer " + instance(actor).member.name();
            case WORKER -> "worker " + instance(actor).member.name();
            case SERVER -> "server";
        };
    }

    // ---- nobody can move

    private void timePasses() {
        if (simulation.database.isUnlocked()) {
            changesAny(Action.RESUME);
        }
        if (simulation.audit.isDone() && simulation.database.isUnlocked()) {
            simulation.audit.finish();
            over = true;
        } else if (ticks == MOST_TICKS) {
            simulation.violated("nobody makes progress: "
                    + simulation.database.state().rows().values());
        } else {
            ticks++;
            trace.add(new Run.Step("clock", "time passes", Option.GO_ON));
            pass(TICK);
        }
    }

    private void pass(Duration time) {
        simulation.clock.pass(time);
        simulation.instances.forEach(SimulatedInstance::wake);
    }
}
