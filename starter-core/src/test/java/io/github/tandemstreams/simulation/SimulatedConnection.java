package io.github.tandemstreams.simulation;

import io.github.tandemstreams.source.LaneId;
import java.util.Map;

/** The client's side of one transaction. Each step of it is a {@link Point}, at which things may go wrong. */
final class SimulatedConnection {

    private final SimulatedDatabase database;
    private final Backend backend;
    private final Steps steps;

    /** Whether the client has seen the end of the transaction, or of the connection. */
    private boolean over;

    private boolean lost;

    SimulatedConnection(SimulatedDatabase database, Steps steps) {
        this.database = database;
        this.steps = steps;
        this.backend = database.open();
    }

    /** Begins a statement: its snapshot is taken now. */
    Statement statement(String what) {
        switch (steps.reach(Point.STATEMENT, what)) {
            case LOST -> {
                orphan(false);
                throw Failures.lost();
            }
            case REFUSED -> {
                abort();
                throw Failures.refused();
            }
            default -> {
                return new Statement(database, backend, steps);
            }
        }
    }

    /** The statement was run; the connection may be lost before its answer. */
    void answered(String what) {
        if (steps.reach(Point.ANSWER, "the answer to: " + what) == Fate.LOST) {
            orphan(false);
            throw Failures.lost();
        }
    }

    /** A write of the handler, at no point of its own. */
    void effect(LaneId lane, long batch, long offset) {
        long number = database.nextEffect();
        backend.tryInsert(Key.effect(number), new Rows.Effect(lane, batch, offset));
    }

    Map<Key<?>, Object> savepoint() {
        return backend.savepoint();
    }

    void rollBackTo(Map<Key<?>, Object> savepoint) {
        backend.rollBackTo(savepoint);
    }

    /** Commits, unless the work has rolled back already. */
    void commit() {
        if (over) {
            return;
        }
        switch (steps.reach(Point.COMMIT, "COMMIT")) {
            case LOST -> {
                orphan(false);
                throw Failures.lost();
            }
            case LOST_COMMITTING -> {
                orphan(true);
                throw Failures.lost();
            }
            case CRASH_COMMITTING -> {
                orphan(true);
                throw new Crash();
            }
            case REFUSED -> {
                abort();
                throw Failures.refused();
            }
            default -> {
                over = true;
                backend.commit();
            }
        }
        if (steps.reach(Point.COMMITTED, "the answer to COMMIT") == Fate.LOST) {
            throw Failures.lost();
        }
    }

    /** Whether the server still hears the client. */
    boolean answers() {
        return !lost;
    }

    /** Rolls back. Of a client that died the server hears later. */
    void rollBack() {
        if (over) {
            return;
        }
        if (steps.isCrashed()) {
            orphan(false);
        } else {
            abort();
        }
    }

    private void abort() {
        over = true;
        backend.abort();
    }

    private void orphan(boolean committing) {
        over = true;
        lost = true;
        backend.orphan(committing);
    }
}
