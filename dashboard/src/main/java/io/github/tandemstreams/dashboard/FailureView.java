package io.github.tandemstreams.dashboard;

import io.github.tandemstreams.LaneReport;
import io.github.tandemstreams.StreamReport;
import org.jspecify.annotations.Nullable;

/**
 * Reports for who may not see payloads. Why a lane failed often has a part of a record in it: Postgres quotes the row that a
 * constraint doesn't take. No part of the text is surely without it.
 */
final class FailureView {

    private static final String ELSEWHERE =
            "failed; its cause is in tandem.lane.failure, and in its log without what records hold";

    private FailureView() {}

    static StreamReport of(StreamReport report, boolean payloads) {
        return payloads
                ? report
                : new StreamReport(
                        report.stream(),
                        report.topics(),
                        report.stopped(),
                        report.version(),
                        report.lanes(),
                        report.lag(),
                        report.deadLetters(),
                        report.lastCommit(),
                        withoutText(report.problem(), "A lane "));
    }

    static LaneReport of(LaneReport lane, boolean payloads) {
        return payloads
                ? lane
                : new LaneReport(
                        lane.lane(),
                        lane.state(),
                        lane.instance(),
                        lane.epoch(),
                        lane.lastBatch(),
                        lane.position(),
                        lane.latest(),
                        lane.lag(),
                        lane.lagSeconds(),
                        lane.latestAt(),
                        lane.changedAt(),
                        withoutText(lane.problem(), "It "));
    }

    private static @Nullable String withoutText(@Nullable String problem, String who) {
        return problem == null ? null : who + ELSEWHERE + ".";
    }
}
