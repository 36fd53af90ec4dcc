package io.github.tandemstreams.engine;

import io.github.tandemstreams.BatchReport;
import io.github.tandemstreams.LaneReport;
import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.StreamReport;
import io.github.tandemstreams.StreamReports;
import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.checkpoint.ReportStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What Postgres knows of the streams that are configured on this instance. */
public final class StreamOverview implements StreamReports {

    private final Supplier<? extends Collection<StreamRuntime>> runtimes;

    /** @param runtimes the streams, asked for when they are needed */
    public StreamOverview(Supplier<? extends Collection<StreamRuntime>> runtimes) {
        this.runtimes = runtimes;
    }

    @Override
    public List<StreamReport> streams() {
        return reports(runtimes.get().stream().map(StreamRuntime::definition).toList());
    }

    @Override
    public StreamReport stream(String stream) {
        return reports(List.of(definition(stream))).get(0);
    }

    @Override
    public List<LaneReport> lanes(String stream) {
        return store(stream).lanes(stream);
    }

    @Override
    public List<BatchReport> batches(String stream, @Nullable String lane, int limit) {
        return store(stream).batches(stream, lane, limit);
    }

    @Override
    public Optional<BatchReport> batchOf(String stream, String topic, int partition, long offset) {
        return store(stream).batchOf(stream, topic, partition, offset);
    }

    @Override
    public Optional<BatchReport> oldestBatch(String stream, String lane) {
        return store(stream).oldestBatch(stream, lane);
    }

    /** One query for each database; streams that were never started are told of, too. */
    private static List<StreamReport> reports(Collection<StreamDefinition<?>> definitions) {
        Map<Checkpoint, Set<String>> unknown = new IdentityHashMap<>();
        definitions.forEach(definition -> unknown.computeIfAbsent(definition.checkpoint(), absent -> new TreeSet<>())
                .add(definition.name()));
        List<StreamReport> reports = new ArrayList<>();
        unknown.forEach((checkpoint, names) -> {
            for (StreamReport report : checkpoint.reports().streams(names)) {
                reports.add(report);
                names.remove(report.stream());
            }
        });
        definitions.stream()
                .filter(definition -> unknown.values().stream().anyMatch(names -> names.contains(definition.name())))
                .forEach(definition -> reports.add(neverStarted(definition)));
        reports.sort(Comparator.comparing(StreamReport::stream));
        return reports;
    }

    private static StreamReport neverStarted(StreamDefinition<?> definition) {
        return new StreamReport(
                definition.name(),
                definition.source().topics().stream().sorted().toList(),
                false,
                0,
                Map.<LaneState, Integer>of(),
                OptionalLong.empty(),
                0,
                null,
                null);
    }

    private ReportStore store(String stream) {
        return definition(stream).checkpoint().reports();
    }

    private StreamDefinition<?> definition(String stream) {
        return StreamRuntime.named(stream, runtimes.get()).definition();
    }
}
