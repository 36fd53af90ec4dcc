package io.github.tandemstreams.autoconfigure.endpoint;

import io.github.tandemstreams.BatchPhase;
import io.github.tandemstreams.BatchReport;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A {@link BatchReport} for JSON; what is unknown is left out.
 *
 * @param durationMillis from the begin of its run until its commit statement, in milliseconds
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
        @Nullable Double recordsPerSecondIn,
        @Nullable Double recordsPerSecondOut,
        Instant plannedAt,
        @Nullable Instant startedAt,
        @Nullable Instant committedAt,
        @Nullable Double durationMillis,
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
                StreamDescriptor.number(report.recordsPerSecondIn()),
                StreamDescriptor.number(report.recordsPerSecondOut()),
                report.plannedAt(),
                report.startedAt(),
                report.committedAt(),
                millis(report.duration()),
                phaseMillis(report),
                report.traceId());
    }

    private static Map<String, Double> phaseMillis(BatchReport report) {
        Map<String, Double> phases = new LinkedHashMap<>();
        for (BatchPhase phase : BatchPhase.values()) {
            Double millis = millis(report.phases().get(phase));
            if (millis != null) {
                phases.put(phase.name().toLowerCase(Locale.ROOT), millis);
            }
        }
        return phases;
    }

    private static @Nullable Double millis(@Nullable Duration duration) {
        return duration == null ? null : duration.toNanos() / NANOS_PER_MILLI;
    }
}
