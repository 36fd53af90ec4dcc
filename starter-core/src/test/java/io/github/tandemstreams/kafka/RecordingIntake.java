package io.github.tandemstreams.kafka;

import io.github.tandemstreams.source.LaneIntake;
import io.github.tandemstreams.source.RawRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** One assignment, as the engine would hold it: closed until the seek that was asked for is done. */
final class RecordingIntake implements LaneIntake {

    final String lane;
    private final List<Long> offsets = new ArrayList<>();
    private final List<String> values = new ArrayList<>();
    private OptionalLong sought = OptionalLong.empty();
    private long seeking = -1;
    private boolean open;
    private boolean revoked;
    private int capacity = Integer.MAX_VALUE;
    private long position = -1;
    private OptionalLong logEnd = OptionalLong.empty();
    private int outOfRange;
    private int pauses;
    private boolean wanted;
    private boolean failOnce;
    private Optional<Progress> progress = Optional.empty();

    RecordingIntake(String lane) {
        this.lane = lane;
    }

    // ---- the test's side

    synchronized RecordingIntake seek(long offset) {
        sought = OptionalLong.of(offset);
        open = false;
        offsets.clear();
        values.clear();
        return this;
    }

    synchronized RecordingIntake capacity(int records) {
        capacity = records;
        return this;
    }

    synchronized void failOnce() {
        failOnce = true;
    }

    /** Takes out all records, as commits would. */
    synchronized List<Long> drain() {
        List<Long> drained = List.copyOf(offsets);
        offsets.clear();
        values.clear();
        return drained;
    }

    synchronized void progress(long newPosition, String metadata) {
        progress = Optional.of(new Progress(newPosition, metadata));
    }

    synchronized List<Long> offsets() {
        return List.copyOf(offsets);
    }

    synchronized List<String> values() {
        return List.copyOf(values);
    }

    synchronized long position() {
        return position;
    }

    synchronized OptionalLong logEnd() {
        return logEnd;
    }

    synchronized int timesOutOfRange() {
        return outOfRange;
    }

    synchronized int pauses() {
        return pauses;
    }

    synchronized boolean isRevoked() {
        return revoked;
    }

    synchronized boolean isOpen() {
        return open;
    }

    synchronized void revoke() {
        revoked = true;
        open = false;
    }

    // ---- the source's side

    @Override
    public synchronized OptionalLong takeSeek() {
        OptionalLong taken = sought;
        sought = OptionalLong.empty();
        taken.ifPresent(offset -> seeking = offset);
        return revoked ? OptionalLong.empty() : taken;
    }

    @Override
    public synchronized void opened(long offset) {
        if (sought.isEmpty() && seeking == offset && !revoked) {
            open = true;
            position = offset;
        }
    }

    @Override
    public synchronized boolean wantsMore() {
        boolean wants = open && offsets.size() < capacity;
        if (wanted && !wants) {
            pauses++;
        }
        wanted = wants;
        return wants;
    }

    @Override
    public synchronized void accept(List<RawRecord> records) {
        if (failOnce) {
            failOnce = false;
            throw new IllegalStateException("A planted error while records are handed over");
        }
        if (!open) {
            return;
        }
        for (RawRecord record : records) {
            if (record.offset() < position) {
                throw new AssertionError("Offset " + record.offset() + " came again; position is " + position);
            }
            offsets.add(record.offset());
            values.add(record.value() == null ? "null" : new String(record.value()));
            position = record.offset() + 1;
        }
    }

    @Override
    public synchronized void reached(long newPosition, OptionalLong newLogEnd) {
        if (!open) {
            return;
        }
        if (newPosition < position) {
            throw new AssertionError("Position fell from " + position + " to " + newPosition);
        }
        position = newPosition;
        if (newLogEnd.isPresent()) {
            logEnd = newLogEnd;
        }
    }

    @Override
    public synchronized void outOfRange() {
        outOfRange++;
        open = false;
    }

    @Override
    public synchronized Optional<Progress> progress() {
        return progress;
    }

    @Override
    public synchronized String toString() {
        return lane + " open=" + open + " revoked=" + revoked + " records=" + offsets.size() + " position=" + position
                + " outOfRange=" + outOfRange + " pauses=" + pauses;
    }
}
