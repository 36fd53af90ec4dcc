package io.github.tandemstreams.autoconfigure;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;

/** The six meters of a lane. They are registered together and removed together. */
final class LaneMeters {

    private final MeterRegistry registry;
    private final Counter records;
    private final Counter batches;
    private final Timer duration;
    private final Counter retries;
    private final Counter deadLetters;
    private final Gauge lag;
    private volatile double lagNow = Double.NaN;

    LaneMeters(MeterRegistry registry, String stream, String lane) {
        Tags tags = Tags.of("stream", stream, "lane", lane);
        this.registry = registry;
        records = counter("tandem.records", "Records committed", "records", tags);
        batches = counter("tandem.batches", "Batches committed", "batches", tags);
        duration = Timer.builder("tandem.batch.duration")
                .description("Time from the start of a batch's transaction to its acknowledged commit")
                .tags(tags)
                .register(registry);
        retries = counter("tandem.retries", "Batches that failed and are tried again", "batches", tags);
        deadLetters = counter("tandem.dead.letters", "Records that became dead letters", "records", tags);
        lag = Gauge.builder("tandem.lag", this, meters -> meters.lagNow)
                .description("Records that are not committed yet")
                .baseUnit("records")
                .tags(tags)
                .register(registry);
    }

    private Counter counter(String name, String description, String unit, Tags tags) {
        return Counter.builder(name)
                .description(description)
                .baseUnit(unit)
                .tags(tags)
                .register(registry);
    }

    void committed(int recordCount, int deadLetterCount, Duration took) {
        records.increment(recordCount);
        batches.increment();
        duration.record(took);
        deadLetters.increment(deadLetterCount);
    }

    void retried() {
        retries.increment();
    }

    /** Sets the lag; NaN while it is unknown. */
    void lag(double now) {
        lagNow = now;
    }

    void remove() {
        List.<Meter>of(records, batches, duration, retries, deadLetters, lag).forEach(registry::remove);
    }
}
