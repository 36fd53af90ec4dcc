package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.LaneStatus;
import io.github.tandemstreams.LaneStatus.Backlog;
import io.github.tandemstreams.StreamProgress;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The meters of a lane that this instance holds. They are registered together and removed together. */
final class LaneMeters {

    private static final String MINE = "tandem.";
    private static final String STREAM = "stream";
    private static final String LANE = "lane";

    /** The lane that meters are about. */
    record Key(String stream, String lane) {}

    private final MeterRegistry registry;
    private final Tags tags;
    private final Counter records;
    private final Counter batches;
    private final Timer duration;
    private final Counter retries;
    private final Counter fencings;
    private final Counter deadLetters;
    private final KnownGauge lag;
    private final KnownGauge age;
    private final KnownGauge bufferedRecords;
    private final KnownGauge bufferedBytes;

    LaneMeters(MeterRegistry registry, Key key) {
        this.registry = registry;
        this.tags = Tags.of(STREAM, key.stream(), LANE, key.lane());
        records = counter("tandem.records", "Records committed", "records");
        batches = counter("tandem.batches", "Batches committed", "batches");
        duration = Timer.builder("tandem.batch.duration")
                .description("Time from the begin of a batch's run to its acknowledged commit")
                .tags(tags)
                .register(registry);
        retries = counter("tandem.retries", "Runs of batches that failed and are tried again", "batches");
        fencings = counter("tandem.fenced", "Times that another instance or a command took the lane over", null);
        deadLetters = counter("tandem.dead.letters", "Records that became dead letters", "records");
        lag = gauge("tandem.lag", "Records that are not committed yet", "records");
        age = gauge(
                "tandem.lag.age", "Age of the oldest record that is not committed yet, by its timestamp", "seconds");
        bufferedRecords = gauge("tandem.buffered.records", "Records that were read ahead", "records");
        bufferedBytes = gauge("tandem.buffered.bytes", "Keys, values and headers that were read ahead", "bytes");
    }

    private Counter counter(String name, String description, @Nullable String unit) {
        return Counter.builder(name)
                .description(description)
                .baseUnit(unit)
                .tags(tags)
                .register(registry);
    }

    private KnownGauge gauge(String name, String description, String unit) {
        return new KnownGauge(registry, name, description, unit, tags);
    }

    void committed(StreamProgress progress) {
        records.increment(progress.records());
        batches.increment();
        duration.record(progress.duration());
        deadLetters.increment(progress.deadLetters());
    }

    void retried() {
        retries.increment();
    }

    void fenced() {
        fencings.increment();
    }

    /** What the lane is like now. */
    void show(LaneStatus lane, Instant now) {
        Backlog backlog = lane.backlog();
        lag.set(lane.lag().isPresent() ? OptionalDouble.of(lane.lag().getAsLong()) : OptionalDouble.empty());
        age.set(lane.age(now).map(LaneMeters::seconds).orElse(OptionalDouble.empty()));
        bufferedRecords.set(OptionalDouble.of(backlog.records()));
        bufferedBytes.set(OptionalDouble.of(backlog.bytes()));
    }

    private static OptionalDouble seconds(Duration time) {
        return OptionalDouble.of(time.toMillis() / 1e3);
    }

    /** The lane that a meter is about; empty if it is none of ours, or about none. */
    static Optional<Key> laneOf(Meter meter) {
        String stream = meter.getId().getTag(STREAM);
        String lane = meter.getId().getTag(LANE);
        return !meter.getId().getName().startsWith(MINE) || stream == null || lane == null
                ? Optional.empty()
                : Optional.of(new Key(stream, lane));
    }

    /** Removes all meters of a lane, also those that others made of its observations. */
    static void remove(MeterRegistry registry, Key key) {
        registry.getMeters().stream()
                .filter(meter -> laneOf(meter).filter(key::equals).isPresent())
                .forEach(registry::remove);
    }
}
