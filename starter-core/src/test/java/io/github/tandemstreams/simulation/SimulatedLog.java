package io.github.tandemstreams.simulation;

import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.source.LaneStart;
import io.github.tandemstreams.source.RawRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The one partition of the simulation, and who is to read it. Offsets between the records are markers, or compacted away.
 *
 * <p>Threading: one thread at a time.
 */
public final class SimulatedLog {

    public static final String TOPIC = "numbers";
    public static final String PARTITION = "numbers-0";
    static final String TOPIC_ID = "numbers-id";

    private final List<Long> offsets;
    private final long end;
    private String owner;
    private int assignment;
    private @Nullable String reported;

    /**
     * @param offsets of the records; a marker follows the last one
     * @param owner the instance that has it at first
     */
    public SimulatedLog(List<Long> offsets, String owner) {
        this.offsets = List.copyOf(offsets);
        this.end = offsets.get(offsets.size() - 1) + 2;
        this.owner = owner;
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
        return Map.of(PARTITION, new LaneStart(TOPIC, TOPIC_ID, Offsets.of(PARTITION, 0)));
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
                records.add(new RawRecord(TOPIC, 0, offset, 0, null, new byte[1], List.of()));
            }
        }
        return records;
    }
}
