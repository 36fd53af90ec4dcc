package io.github.tandemstreams.engine;

import io.github.tandemstreams.source.RawRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The records of one lane that were read ahead, and how far the source has read. Between a seek that was asked for and the
 * moment the source has done it the buffer is closed: what arrives then belongs to an older position and is dropped.
 *
 * <p>A record stays here until its batch is committed, so that a retry needs no second read.
 *
 * <p>Threading: filled by the source's thread, cut and emptied by the lane's worker; all methods are synchronized and
 * short.
 */
final class LaneBuffer {

    private final Deque<RawRecord> records = new ArrayDeque<>();
    private State state = State.CLOSED;
    private long bytes;
    private long position;
    private long needed;

    private enum State {
        CLOSED,
        /** A seek to {@code position} was asked for. */
        SOUGHT,
        /** The source is doing it. */
        SEEKING,
        OPEN
    }

    /** What a batch could take: everything below {@code end}. */
    record Cut(long end, int records) {}

    // ---- the worker's side

    /** Drops everything and asks the source to read from here. Until {@code needed} it reads whatever the limits say. */
    synchronized void seek(long from, long needed) {
        close();
        this.position = from;
        this.needed = needed;
        this.state = State.SOUGHT;
    }

    /** Drops everything; nothing is accepted before the next seek. */
    synchronized void close() {
        records.clear();
        bytes = 0;
        state = State.CLOSED;
    }

    /** Whether all records below {@code end} that will ever be visible are here. */
    synchronized boolean reaches(long end) {
        return state == State.OPEN && position >= end;
    }

    /** What a batch that starts at {@code from} would take within these limits; empty if the source is no further. */
    synchronized Optional<Cut> cut(long from, int maxRecords, long maxBytes) {
        if (state != State.OPEN || position <= from) {
            return Optional.empty();
        }
        int taken = 0;
        long takenBytes = 0;
        long end = from;
        for (RawRecord record : records) {
            if (record.offset() < from) {
                continue;
            }
            takenBytes += record.bytes();
            if (taken == maxRecords || (taken > 0 && takenBytes > maxBytes)) {
                return Optional.of(new Cut(end, taken));
            }
            taken++;
            end = record.offset() + 1;
        }
        // Nothing was left behind: the range ends where the source stands, past markers and compacted records.
        return Optional.of(new Cut(position, taken));
    }

    /**
     * The records from {@code start} to before {@code end}; empty if they aren't all here. The source's thread may close
     * the buffer at any moment, so whoever needs the records must take them and not ask first: a range that looks empty
     * because the lane was just revoked would be committed without its records.
     */
    synchronized Optional<List<RawRecord>> take(long start, long end) {
        if (!reaches(end)) {
            return Optional.empty();
        }
        List<RawRecord> taken = new ArrayList<>();
        for (RawRecord record : records) {
            if (record.offset() >= end) {
                break;
            }
            if (record.offset() >= start) {
                taken.add(record);
            }
        }
        return Optional.of(taken);
    }

    /** Forgets the records before this offset: they are committed. */
    synchronized void dropBefore(long offset) {
        while (!records.isEmpty() && records.getFirst().offset() < offset) {
            bytes -= records.removeFirst().bytes();
        }
    }

    // ---- the source's side

    synchronized OptionalLong takeSeek() {
        if (state != State.SOUGHT) {
            return OptionalLong.empty();
        }
        state = State.SEEKING;
        return OptionalLong.of(position);
    }

    /** Opens the buffer, unless it was closed or a newer seek was asked for in between. */
    synchronized void opened() {
        if (state == State.SEEKING) {
            state = State.OPEN;
        }
    }

    synchronized boolean accept(Collection<RawRecord> read) {
        if (state != State.OPEN) {
            return false;
        }
        for (RawRecord record : read) {
            records.addLast(record);
            bytes += record.bytes();
            position = record.offset() + 1;
        }
        return true;
    }

    /** True if the position moved. */
    synchronized boolean reached(long newPosition) {
        if (state != State.OPEN || newPosition <= position) {
            return false;
        }
        position = newPosition;
        return true;
    }

    synchronized boolean wantsMore(int maxRecords, long maxBytes) {
        return state == State.OPEN
                && (position < needed || records.isEmpty() || (records.size() < maxRecords && bytes < maxBytes));
    }
}
