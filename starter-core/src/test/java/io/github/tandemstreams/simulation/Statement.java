package io.github.tandemstreams.simulation;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * One statement, with the snapshot that READ COMMITTED gives it: what was committed when it began. Only a row that it
 * locks is read anew after the wait; all else that it reads is as old as the snapshot.
 */
final class Statement {

    private final SimulatedDatabase database;
    private final Backend backend;
    private final Steps steps;
    private final SimulatedDatabase.State snapshot;

    Statement(SimulatedDatabase database, Backend backend, Steps steps) {
        this.database = database;
        this.backend = backend;
        this.steps = steps;
        this.snapshot = database.state();
    }

    <R> Optional<R> read(Key<R> key) {
        return backend.read(key, snapshot);
    }

    <R> List<R> all(Class<R> table, Predicate<R> where) {
        return snapshot.all(table).filter(where).toList();
    }

    /**
     * Locks a row if the condition holds for it in the snapshot, after a wait if need be, and returns its newest version if
     * the condition holds for that too.
     */
    <R> Optional<R> lock(Key<R> key, LockMode mode, Predicate<R> where) {
        if (read(key).filter(where).isEmpty()) {
            return Optional.empty();
        }
        while (!backend.tryLock(key, mode)) {
            database.await(steps, () -> database.isFree(backend, key, mode));
        }
        return backend.read(key, database.state()).filter(where);
    }

    /** The same for a row that nobody else holds; another one is skipped. */
    <R> Optional<R> lockIfFree(Key<R> key, LockMode mode, Predicate<R> where) {
        if (read(key).filter(where).isEmpty() || !backend.tryLock(key, mode)) {
            return Optional.empty();
        }
        return backend.read(key, database.state()).filter(where);
    }

    <R> Optional<R> lock(Key<R> key, LockMode mode) {
        return lock(key, mode, row -> true);
    }

    /** Writes a row that this transaction has locked. */
    <R> void update(Key<R> key, R row) {
        backend.write(key, row);
    }

    /** Inserts a row, after a wait for another transaction that has inserted its key; false if the key is taken. */
    <R> boolean insert(Key<R> key, R row) {
        Optional<Boolean> inserted = backend.tryInsert(key, row);
        while (inserted.isEmpty()) {
            database.await(steps, () -> database.isDecided(backend, key));
            inserted = backend.tryInsert(key, row);
        }
        return inserted.get();
    }

    void delete(Key<?> key) {
        backend.delete(key);
    }
}
