package io.github.tandemstreams.simulation;

import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.source.LaneStart;
import io.github.tandemstreams.source.RawRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A partition, and who is to read it. Offsets between the records are markers, or compacted away.
 *
 * <p>Threading: one thread at a time.
 */
public final class SimulatedLog {

    public static final String TOPIC = "numbers";
    static final String TOPIC_ID = "numbers-id";

    private final int number;
    private final List<Long> offsets;
    private final long end;
    private String owner;
    private int assignment;
    private @Nullable String reported;

    /**
     * @param number of the partition
     * @param offsets of the records; a marker follows the last one
     * @param owner the instance that has it at first
     */
    public SimulatedLog(int number, List<Long> offsets, String owner) {
        this.number = number;
        this.offsets = List.copyOf(offsets);
        this.end = offsets.get(offsets.size() - 1) + 2;
        this.owner = owner;
    }

    /** Name of the partition, and of its lane. */
    public String partition() {
        return TOPIC + "-" + number;
    }

    /** Offsets of the records. */
    public List<Long> offsets() {
        return offsets;
    }

    /** First offset after the log, which may lie beyond the last record. */
    public long end() {
        return end;
    }

    /** Where its lane starts. */
    public Map<String, LaneStart> start() {
        return Map.of(partition(), new LaneStart(TOPIC, TOPIC_ID, Offsets.of(partition(), 0)));
    }

    // ---- the group

    /** Gives the partition to this instance; each assignment has a number of its own. */
    public void assign(String instance) {
        owner = instance;
        assignment++;
    }

    public String owner() {
        return owner;
    }

    int assignment() {
        return assignment;
    }

    /** A member commits its progress to the group. */
    void report(String progress) {
        reported = progress;
    }

    @Nullable
    String reported() {
        return reported;
    }

    // ---- reading

    List<RawRecord> read(long position, int most) {
        List<RawRecord> records = new ArrayList<>();
        for (long offset : offsets) {
            if (offset >= position && records.size() < most) {
                records.add(new RawRecord(TOPIC, number, offset, 0, null, new byte[1], List.of()));
            }
        }
        return records;
    }
}
