package io.github.tandemstreams.engine;

import io.github.tandemstreams.source.RawRecord;
import java.util.ArrayList;
import java.util.Collection;
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

    private final List<RawRecord> records = new ArrayList<>();
    private State state = State.CLOSED;
    private long bytes;
    private long position;
    private long needed;
    private long filledSince = System.nanoTime();

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

    /**
     * What is buffered.
     *
     * @param records how many records
     * @param bytes of keys, values and headers
     * @param oldest timestamp of the first one
     */
    record Content(int records, long bytes, OptionalLong oldest) {}

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
        int first = indexOf(from);
        int last = first + Math.min(maxRecords, records.size() - first);
        if (bytes > maxBytes) {
            last = within(maxBytes, first, last);
        }
        // If nothing is left behind, the range ends where the source stands, past markers and compacted records.
        long end = last == records.size() ? position : records.get(last - 1).offset() + 1;
        return Optional.of(new Cut(end, last - first));
    }

    /** The end of the records from {@code first} on, before {@code last}, that are no more bytes than that; at least one. */
    private int within(long maxBytes, int first, int last) {
        long taken = 0;
        for (int i = first; i < last; i++) {
            taken += records.get(i).bytes();
            if (taken > maxBytes && i > first) {
                return i;
            }
        }
        return last;
    }

    /** The place of the first record at or after an offset. */
    private int indexOf(long offset) {
        int low = 0;
        int high = records.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (records.get(middle).offset() < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
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
        return Optional.of(List.copyOf(records.subList(indexOf(start), indexOf(end))));
    }

    /**
     * Forgets the records before this offset: they are committed.
     *
     * @return whether it wanted no more until now, within these limits
     */
    synchronized boolean dropBefore(long offset, int maxRecords, long maxBytes) {
        boolean full = !wantsMore(maxRecords, maxBytes);
        List<RawRecord> committed = records.subList(0, indexOf(offset));
        for (RawRecord record : committed) {
            bytes -= record.bytes();
        }
        committed.clear();
        return full;
    }

    /** When the first record came after there was none, as {@link System#nanoTime()} tells it. */
    synchronized long filledSince() {
        return filledSince;
    }

    synchronized boolean isEmpty() {
        return records.isEmpty();
    }

    // ---- any thread

    /** What is buffered now. */
    synchronized Content content() {
        return new Content(
                records.size(),
                bytes,
                records.isEmpty()
                        ? OptionalLong.empty()
                        : OptionalLong.of(records.get(0).timestamp()));
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
        if (records.isEmpty() && !read.isEmpty()) {
            filledSince = System.nanoTime();
        }
        for (RawRecord record : read) {
            records.add(record);
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
