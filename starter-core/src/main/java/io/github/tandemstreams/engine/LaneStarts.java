package io.github.tandemstreams.engine;

import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StartReport;
import io.github.tandemstreams.StartingOffsets;
import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.source.LaneBounds;
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.source.LaneStart;
import io.github.tandemstreams.source.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What {@link Registration} would store and the lanes' first claims would find, without any of it done. A lane that has a row
 * goes on where that says. A lane of a topic that is registered, but without a row, is one that the topic gained later: it
 * starts at earliest. All others start where they are told to.
 */
final class LaneStarts {

    private final String stream;
    private final Source source;
    private final Checkpoint checkpoint;

    LaneStarts(StreamDefinition<?> stream) {
        this.stream = stream.name();
        this.source = stream.source();
        this.checkpoint = stream.checkpoint();
    }

    List<StartReport> from(StartingOffsets startingOffsets) {
        Set<String> registered = checkpoint.topics(stream);
        Map<String, LaneStart> starts = new TreeMap<>(source.resolve(source.topics(), startingOffsets));
        Map<String, Supplier<LaneBounds>> bounds = source.bounds(starts.keySet());
        List<StartReport> reports = new ArrayList<>();
        starts.forEach((lane, start) -> reports.add(report(
                lane,
                start,
                registered.contains(start.topic()),
                Objects.requireNonNull(bounds.get(lane)).get())));
        return reports;
    }

    private StartReport report(String lane, LaneStart start, boolean isRegistered, LaneBounds bounds) {
        Offsets first = start.position();
        boolean isStored = false;
        if (isRegistered) {
            Offsets stored = checkpoint.position(new LaneId(stream, lane)).orElse(null);
            isStored = stored != null;
            first = stored == null ? bounds.earliest() : stored;
        }
        return new StartReport(lane, isStored, first, bounds.earliest(), bounds.latest());
    }
}
