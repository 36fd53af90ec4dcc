package io.github.tandemstreams.autoconfigure.endpoint;

import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.StreamReport;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** A {@link StreamReport} for JSON; what is unknown is left out. */
record StreamDescriptor(
        String stream,
        List<String> topics,
        boolean stopped,
        long version,
        Map<String, Integer> lanes,
        @Nullable Long lag,
        long deadLetters,
        @Nullable Instant lastCommit,
        @Nullable String problem)
        implements OperationResponseBody {

    private static final String HIDDEN_PROBLEM =
            "failed; its cause is in tandem.lane.failure, and in its log without what records hold";

    static StreamDescriptor of(StreamReport report, boolean payloads) {
        Map<String, Integer> lanes = new TreeMap<>();
        report.lanes().forEach((state, count) -> lanes.put(state(state), count));
        return new StreamDescriptor(
                report.stream(),
                report.topics(),
                report.stopped(),
                report.version(),
                lanes,
                number(report.lag()),
                report.deadLetters(),
                report.lastCommit(),
                problem(report.problem(), payloads));
    }

    /** Why a lane failed often quotes a row or a record, as Postgres does. */
    static @Nullable String problem(@Nullable String problem, boolean payloads) {
        return problem == null || payloads ? problem : HIDDEN_PROBLEM;
    }

    /** As the tables have it. */
    static String state(LaneState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    static @Nullable Long number(OptionalLong number) {
        return number.isPresent() ? number.getAsLong() : null;
    }

    static @Nullable Double number(OptionalDouble number) {
        return number.isPresent() ? number.getAsDouble() : null;
    }
}
