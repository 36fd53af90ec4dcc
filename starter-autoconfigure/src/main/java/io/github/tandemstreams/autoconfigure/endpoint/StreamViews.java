package io.github.tandemstreams.autoconfigure.endpoint;

import io.github.tandemstreams.BatchReport;
import io.github.tandemstreams.CommandRecord;
import io.github.tandemstreams.DeadLetterRecord;
import io.github.tandemstreams.DeadLetters;
import io.github.tandemstreams.LaneReport;
import io.github.tandemstreams.StartCheck;
import io.github.tandemstreams.StartingOffsets;
import io.github.tandemstreams.StreamCommands;
import io.github.tandemstreams.StreamOperations;
import io.github.tandemstreams.StreamReports;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** What the endpoint shows of streams. Throws {@link NotFoundException} for what isn't there. */
final class StreamViews {

    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1000;

    private final StreamOperations streams;
    private final StreamReports reports;
    private final DeadLetters deadLetters;
    private final StreamCommands commands;
    private final StartCheck starts;

    StreamViews(
            StreamOperations streams,
            StreamReports reports,
            DeadLetters deadLetters,
            StreamCommands commands,
            StartCheck starts) {
        this.streams = streams;
        this.reports = reports;
        this.deadLetters = deadLetters;
        this.commands = commands;
        this.starts = starts;
    }

    /** @param payloads whether it is shown why lanes failed, which may quote what is in records and rows */
    Map<String, Object> all(boolean payloads) {
        return listed(
                "streams",
                reports.streams().stream()
                        .map(report -> StreamDescriptor.of(report, payloads))
                        .toList());
    }

    /** @param payloads likewise */
    StreamDescriptor one(String stream, boolean payloads) {
        requireStream(stream);
        return StreamDescriptor.of(reports.stream(stream), payloads);
    }

    /** @param payloads likewise, and what dead letters hold */
    Map<String, Object> list(String stream, String part, Page page, boolean payloads) {
        requireStream(stream);
        return switch (Part.of(part)) {
            case LANES -> lanes(stream, payloads);
            case BATCHES -> batches(stream, page);
            case DEAD_LETTERS -> deadLetters(stream, page, payloads);
            case COMMANDS -> commands(stream, page);
            case STARTS -> starts(stream, page);
        };
    }

    private Map<String, Object> lanes(String stream, boolean payloads) {
        return listed(
                "lanes",
                reports.lanes(stream).stream()
                        .map(report -> LaneDescriptor.of(report, payloads))
                        .toList());
    }

    private Map<String, Object> batches(String stream, Page page) {
        requireLane(stream, page.lane());
        return listed(
                "batches",
                (page.record() == null
                                ? reports.batches(stream, page.lane(), page.size())
                                : batchOf(stream, page.record()))
                        .stream().map(BatchDescriptor::of).toList());
    }

    private List<BatchReport> batchOf(String stream, String record) {
        RecordPosition position = RecordPosition.parse(record);
        return List.of(reports.batchOf(stream, position.topic(), position.partition(), position.offset())
                .orElseThrow(() -> notInLogs(stream, record, position)));
    }

    /** Whether it is older than the logs, or still to come, is seen by where they begin and where the lane stands. */
    private NotFoundException notInLogs(String stream, String record, RecordPosition position) {
        LaneReport lane = lane(stream, position.lane());
        String begin = reports.oldestBatch(stream, lane.lane())
                .map(oldest -> "begin with batch " + oldest.batchId() + ", at offset "
                        + oldest.range().starts().get(lane.lane()))
                .orElse("have none yet");
        Long stands = lane.position().byPartition().get(lane.lane());
        return new NotFoundException("Stream '" + stream + "' has no batch with " + record + ": the logs of lane "
                + lane.lane() + " " + begin
                + (stands == null ? ", and it hasn't begun" : ", and it stands at " + stands));
    }

    private Map<String, Object> deadLetters(String stream, Page page, boolean payloads) {
        List<DeadLetterRecord> letters =
                deadLetters.waiting(stream, page.after() == null ? 0 : page.after(), page.size());
        return page.listed(
                "deadLetters",
                letters,
                DeadLetterRecord::id,
                letters.stream()
                        .map(letter -> DeadLetterDescriptor.of(letter, payloads))
                        .toList());
    }

    private Map<String, Object> commands(String stream, Page page) {
        List<CommandRecord> history = commands.history(stream, page.after(), page.size());
        return page.listed(
                "commands",
                history,
                CommandRecord::id,
                history.stream().map(CommandDescriptor::of).toList());
    }

    private Map<String, Object> starts(String stream, Page page) {
        return listed(
                "starts",
                starts.check(stream, page.startingOffsets()).stream()
                        .map(StartDescriptor::of)
                        .toList());
    }

    OperationResponseBody find(String stream, String part, String id, boolean payloads) {
        requireStream(stream);
        return switch (Part.of(part)) {
            case LANES -> LaneDescriptor.of(lane(stream, id), payloads);
            case STARTS -> throw new NotFoundException("Where lanes start is told of all of them: list the starts");
            case BATCHES ->
                throw new NotFoundException(
                        "A batch id is one of a lane: list the batches with the parameter lane, or record");
            case DEAD_LETTERS ->
                deadLetters
                        .find(stream, number(id))
                        .map(letter -> DeadLetterDescriptor.of(letter, payloads))
                        .orElseThrow(() -> notFound(stream, "dead letter", id));
            case COMMANDS ->
                commands.find(stream, number(id))
                        .map(CommandDescriptor::of)
                        .orElseThrow(() -> notFound(stream, "command", id));
        };
    }

    private LaneReport lane(String stream, String lane) {
        return reports.lanes(stream).stream()
                .filter(report -> report.lane().equals(lane))
                .findFirst()
                .orElseThrow(() -> notFound(stream, "lane", lane));
    }

    void requireStream(String stream) {
        if (!streams.streams().contains(stream)) {
            throw new NotFoundException(
                    "There is no stream '" + stream + "', but " + String.join(", ", streams.streams()));
        }
    }

    void requireLane(String stream, @Nullable String lane) {
        if (lane != null) {
            lane(stream, lane);
        }
    }

    private static NotFoundException notFound(String stream, String what, String id) {
        return new NotFoundException("Stream '" + stream + "' has no " + what + " '" + id + "'");
    }

    private static long number(String id) {
        try {
            return Long.parseLong(id);
        } catch (NumberFormatException notOne) {
            throw new NotFoundException("'" + id + "' isn't a number");
        }
    }

    private static Map<String, Object> listed(String name, List<?> items) {
        return OperationResponseBody.of(Map.of(name, items));
    }

    /**
     * Which ones of many.
     *
     * @param lane only those of this lane
     * @param record only the batch that has this record
     * @param from starting offsets to check, in the notation of the setting; null for those that are configured
     * @param after those that follow this id in the order of the list
     * @param limit how many at most
     */
    record Page(
            @Nullable String lane,
            @Nullable String record,
            @Nullable String from,
            @Nullable Long after,
            @Nullable Integer limit) {

        Page {
            if (limit != null && (limit < 1 || limit > MAX_LIMIT)) {
                String message = "limit " + limit + " isn't from 1 to " + MAX_LIMIT;
                throw new InvalidEndpointRequestException(message, message);
            }
        }

        @Nullable
        StartingOffsets startingOffsets() {
            try {
                return from == null ? null : StartingOffsets.parse(from);
            } catch (IllegalArgumentException unknown) {
                String message = String.valueOf(unknown.getMessage());
                throw new InvalidEndpointRequestException(message, message, unknown);
            }
        }

        int size() {
            return limit == null ? DEFAULT_LIMIT : limit;
        }

        /** A full page has the id after which to go on. */
        private <T> Map<String, Object> listed(String name, List<T> rows, ToLongFunction<T> id, List<?> items) {
            Map<String, Object> body = new LinkedHashMap<>();
            body.put(name, items);
            if (rows.size() == size()) {
                body.put("next", id.applyAsLong(rows.get(rows.size() - 1)));
            }
            return OperationResponseBody.of(body);
        }
    }
}
