package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.source.RawRecord;
import io.micrometer.observation.Observation;
import java.util.List;

/** What a batch's observation is about. Its records tell who sent them. */
final class BatchObservationContext extends Observation.Context {

    private final List<RawRecord> records;

    BatchObservationContext(List<RawRecord> records) {
        this.records = records;
    }

    List<RawRecord> records() {
        return records;
    }
}
