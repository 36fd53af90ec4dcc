package io.github.tandemstreams.autoconfigure.endpoint;

import io.github.tandemstreams.BatchPhase;
import io.github.tandemstreams.BatchReport;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A {@link BatchReport} for JSON; what is unknown is left out.
 *
 * @param phaseMillis how long its phases took, in milliseconds
 */
record BatchDescriptor(
        String lane,
        long batchId,
        int generation,
        Map<String, Long> starts,
        Map<String, Long> ends,
        String status,
        int attempts,
        @Nullable Long epoch,
        @Nullable String instance,
        int records,
        int deadLetters,
        Instant plannedAt,
        @Nullable Instant startedAt,
        @Nullable Instant committedAt,
        Map<String, Double> phaseMillis,
        @Nullable String traceId) {

    private static final double NANOS_PER_MILLI = 1e6;

    static BatchDescriptor of(BatchReport report) {
        return new BatchDescriptor(
                report.lane(),
                report.batchId(),
                report.generation(),
                report.range().starts().byPartition(),
                report.range().ends().byPartition(),
                report.status(),
                report.attempts(),
                report.epoch(),
                report.instance(),
                report.records(),
                report.deadLetters(),
                report.plannedAt(),
                report.startedAt(),
                report.committedAt(),
                phaseMillis(report),
                report.traceId());
    }

    private static Map<String, Double> phaseMillis(BatchReport report) {
        Map<String, Double> millis = new LinkedHashMap<>();
        for (BatchPhase phase : BatchPhase.values()) {
            if (report.phases().get(phase) != null) {
                millis.put(
                        phase.name().toLowerCase(Locale.ROOT),
                        report.phases().get(phase).toNanos() / NANOS_PER_MILLI);
            }
        }
        return millis;
    }
}
