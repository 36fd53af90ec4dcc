package io.github.tandemstreams.autoconfigure.endpoint;

import io.github.tandemstreams.StartReport;
import java.util.Map;

/** A {@link StartReport} for JSON. */
record StartDescriptor(
        String lane,
        boolean stored,
        Map<String, Long> start,
        Map<String, Long> earliest,
        Map<String, Long> latest,
        long ahead) {

    static StartDescriptor of(StartReport report) {
        return new StartDescriptor(
                report.lane(),
                report.stored(),
                report.start().byPartition(),
                report.earliest().byPartition(),
                report.latest().byPartition(),
                report.ahead());
    }
}
