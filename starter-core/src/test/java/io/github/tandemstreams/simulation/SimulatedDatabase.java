package io.github.tandemstreams.simulation;

import io.github.tandemstreams.source.LaneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Tables in memory that behave as Postgres does at READ COMMITTED, as far as the checkpoint depends on it: row locks, a
 * snapshot for each statement, unique keys that make a second insert wait for the first, and backends that outlive their
 * client's connection. Committed rows are an immutable map that each commit replaces, so a snapshot is a reference.
 *
 * <p>There are no queues: of several that wait for a lock any may be next, which is more than Postgres does.
 *
 * <p>Threading: safe for use by several threads.
 */
public final class SimulatedDatabase {

    private Map<Key<?>, Object> committed = Map.of();
    private final List<Backend> open = new ArrayList<>();
    private final List<Backend> orphans = new ArrayList<>();
    private long effects;
    private int waiting;
    private Watcher watcher = (before, after) -> {};

    /** Hears of each commit that changes something. */
    public interface Watcher {

        void committed(State before, State after);
    }

    /** What is committed at one moment. */
    public record State(Map<Key<?>, Object> rows) {

        /** The row of a key. */
        <R> Optional<R> get(Key<R> key) {
            return Optional.ofNullable(key.table().cast(rows.get(key)));
        }

        /** All rows of a table, oldest first. */
        public <R> Stream<R> all(Class<R> table) {
            return rows.values().stream().filter(table::isInstance).map(table::cast);
        }
    }

    public synchronized void watch(Watcher newWatcher) {
        watcher = newWatcher;
    }

    public synchronized State state() {
        return new State(committed);
    }

    /** A new connection. */
    SimulatedConnection connect(Steps steps) {
        return new SimulatedConnection(this, steps);
    }

    /** The connection whose transaction is bound to this thread. */
    SimulatedConnection bound() {
        Object connection = TransactionSynchronizationManager.getResource(this);
        if (connection == null) {
            throw new IllegalTransactionStateException("No transaction on this database is bound to this thread");
        }
        return (SimulatedConnection) connection;
    }

    /** A write of a handler, in the transaction that is bound to this thread. */
    public void write(LaneId lane, long batch, long offset) {
        bound().effect(lane, batch, offset);
    }

    /** How many sessions wait for a lock or for another's insert. */
    public synchronized int waiting() {
        return waiting;
    }

    // ---- backends without a client

    /** How many transactions the server still has whose client is gone. */
    public synchronized int orphans() {
        return orphans.size();
    }

    /** The server comes to the end of the oldest of them. */
    public synchronized String finishOrphan() {
        Backend orphan = orphans.remove(0);
        if (orphan.isCommitting()) {
            commit(orphan);
            return "commits what a lost connection had sent";
        }
        abort(orphan);
        return "rolls back what a lost connection had left";
    }

    // ---- for backends

    synchronized Backend open() {
        Backend backend = new Backend(this);
        open.add(backend);
        return backend;
    }

    synchronized void commit(Backend backend) {
        State before = new State(committed);
        Map<Key<?>, Object> after = new LinkedHashMap<>(committed);
        backend.applyTo(after);
        committed = Collections.unmodifiableMap(after);
        abort(backend);
        watcher.committed(before, new State(committed));
    }

    synchronized void abort(Backend backend) {
        open.remove(backend);
        notifyAll();
    }

    synchronized void orphan(Backend backend) {
        orphans.add(backend);
    }

    synchronized long nextEffect() {
        return effects++;
    }

    /** Whether nobody else holds a lock that conflicts. */
    synchronized boolean isFree(Backend asking, Key<?> key, LockMode mode) {
        return open.stream().noneMatch(other -> other != asking && other.holds(key, mode));
    }

    /** Whether nobody else has written this key in a transaction that isn't decided yet. */
    synchronized boolean isDecided(Backend asking, Key<?> key) {
        return open.stream().noneMatch(other -> other != asking && other.hasWritten(key));
    }

    /** Whether a command would get the row locks that it needs now. */
    public synchronized boolean isUnlocked() {
        return open.stream().noneMatch(Backend::holdsAny);
    }

    void await(Steps steps, BooleanSupplier condition) {
        synchronized (this) {
            if (condition.getAsBoolean()) {
                return;
            }
            waiting++;
        }
        try {
            steps.await(this, condition);
        } finally {
            synchronized (this) {
                waiting--;
            }
        }
    }

    synchronized void awaitOnMonitor(BooleanSupplier condition) {
        try {
            while (!condition.getAsBoolean()) {
                wait();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a lock", stopped);
        }
    }
}
