package io.github.tandemstreams.autoconfigure.endpoint;

import io.github.tandemstreams.LaneReport;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** A {@link LaneReport} for JSON; what is unknown is left out. */
record LaneDescriptor(
        String lane,
        String state,
        @Nullable String instance,
        long epoch,
        long lastBatch,
        Map<String, Long> position,
        Map<String, Long> latest,
        @Nullable Long lag,
        @Nullable Double lagSeconds,
        @Nullable Instant latestAt,
        Instant changedAt,
        @Nullable String problem)
        implements OperationResponseBody {

    static LaneDescriptor of(LaneReport report, boolean payloads) {
        return new LaneDescriptor(
                report.lane(),
                StreamDescriptor.state(report.state()),
                report.instance(),
                report.epoch(),
                report.lastBatch(),
                report.position().byPartition(),
                report.latest().byPartition(),
                StreamDescriptor.number(report.lag()),
                StreamDescriptor.number(report.lagSeconds()),
                report.latestAt(),
                report.changedAt(),
                StreamDescriptor.problem(report.problem(), payloads));
    }
}
