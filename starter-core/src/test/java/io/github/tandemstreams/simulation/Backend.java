package io.github.tandemstreams.simulation;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The server's side of one transaction: what it has written and which rows it has locked. */
final class Backend {

    /** Written in place of a row that is deleted. */
    private static final Object DELETED = new Object();

    private final SimulatedDatabase database;
    private final Map<Key<?>, Object> writes = new LinkedHashMap<>();
    private final Map<Key<?>, LockMode> locks = new HashMap<>();
    private boolean committing;

    Backend(SimulatedDatabase database) {
        this.database = database;
    }

    // ---- for statements

    <R> Optional<R> read(Key<R> key, SimulatedDatabase.State state) {
        Object own = writes.get(key);
        if (own == DELETED) {
            return Optional.empty();
        }
        return own == null ? state.get(key) : Optional.of(key.table().cast(own));
    }

    /** Locks the row, if nobody else holds a lock that conflicts. */
    boolean tryLock(Key<?> key, LockMode mode) {
        synchronized (database) {
            if (!database.isFree(this, key, mode)) {
                return false;
            }
            locks.merge(key, mode, (held, wanted) -> held.compareTo(wanted) > 0 ? held : wanted);
            return true;
        }
    }

    /** Writes a row whose lock is held. */
    <R> void write(Key<R> key, R row) {
        if (!locks.containsKey(key)) {
            throw new IllegalStateException("a row must be locked before it is written: " + key);
        }
        writes.put(key, row);
    }

    /**
     * Inserts a row.
     *
     * @return empty if another transaction has inserted the key and isn't decided yet; false if the key is taken
     */
    <R> Optional<Boolean> tryInsert(Key<R> key, R row) {
        synchronized (database) {
            if (!database.isDecided(this, key)) {
                return Optional.empty();
            }
            // A unique key doesn't ask what the statement's snapshot shows.
            boolean free = read(key, database.state()).isEmpty();
            if (free) {
                writes.put(key, row);
            }
            return Optional.of(free);
        }
    }

    void delete(Key<?> key) {
        writes.put(key, DELETED);
    }

    /** What is written now, to come back to. */
    Map<Key<?>, Object> savepoint() {
        return new LinkedHashMap<>(writes);
    }

    void rollBackTo(Map<Key<?>, Object> savepoint) {
        writes.clear();
        writes.putAll(savepoint);
    }

    // ---- for the database

    boolean holds(Key<?> key, LockMode mode) {
        LockMode held = locks.get(key);
        return held != null && held.conflictsWith(mode);
    }

    boolean holdsAny() {
        return !locks.isEmpty();
    }

    boolean hasWritten(Key<?> key) {
        return writes.containsKey(key);
    }

    boolean isCommitting() {
        return committing;
    }

    void applyTo(Map<Key<?>, Object> rows) {
        writes.forEach((key, row) -> {
            if (row == DELETED) {
                rows.remove(key);
            } else {
                rows.put(key, row);
            }
        });
    }

    // ---- the end

    void commit() {
        database.commit(this);
    }

    void abort() {
        database.abort(this);
    }

    /** The client is gone; the server will notice, or come to the end of its COMMIT, at some time. */
    void orphan(boolean isCommitting) {
        committing = isCommitting;
        database.orphan(this);
    }
}
