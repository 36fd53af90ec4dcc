package io.github.tandemstreams.dashboard;

import io.github.tandemstreams.BatchReport;
import io.github.tandemstreams.CommandConflictException;
import io.github.tandemstreams.CommandRecord;
import io.github.tandemstreams.CommandRefusedException;
import io.github.tandemstreams.DeadLetters;
import io.github.tandemstreams.LaneReport;
import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.StreamCommands;
import io.github.tandemstreams.StreamReport;
import io.github.tandemstreams.StreamReports;
import io.github.tandemstreams.autoconfigure.DatabaseTrouble;
import io.github.tandemstreams.source.SourceUnavailableException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedRuntimeException;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Answers what the page asks, the same under each web framework: its files, and below {@code api/} what Postgres knows, as
 * JSON. There is one door to commands, and {@link #command} guards it.
 *
 * <p>Threading: may be called by any thread that may wait for the database.
 */
final class Dashboard {

    private static final Logger LOG = LoggerFactory.getLogger(Dashboard.class);

    /** Who gives commands where nobody signs in. */
    private static final String SOMEBODY = "dashboard";

    private static final int MOST_ROWS = 500;

    /** Each is read with its key, value, headers and stack trace, whatever is shown of them. */
    private static final int MOST_DEAD_LETTERS = 100;

    private final String path;
    private final Rights rights;
    private final PageFiles files;
    private final StreamReports reports;
    private final StreamCommands commands;
    private final DeadLetters deadLetters;
    private final Sampler sampler;

    /** Errors of the database that were logged, by what was asked, until that is answered again: the page keeps asking. */
    private final Map<String, String> logged = new ConcurrentHashMap<>();

    Dashboard(
            DashboardProperties properties,
            StreamReports reports,
            StreamCommands commands,
            DeadLetters deadLetters,
            Sampler sampler) {
        this.path = properties.path();
        this.rights = new Rights(properties);
        this.files = new PageFiles();
        this.reports = reports;
        this.commands = commands;
        this.deadLetters = deadLetters;
        this.sampler = sampler;
    }

    String path() {
        return path;
    }

    /** What to say to a message: the problem of a request. */
    record Problem(String message) {}

    record Session(
            @Nullable String user,
            boolean mayCommand,
            @Nullable String whyNot,
            boolean maySeePayloads,
            String commandHeader,
            Visitor.@Nullable CsrfToken csrf) {}

    record StreamSummary(StreamReport report, List<Sample> samples) {}

    record StreamDetail(StreamReport report, List<LaneReport> lanes, List<Sample> samples) {}

    DashboardResponse answer(DashboardRequest request) {
        try {
            DashboardResponse response = route(request);
            logged.remove(request.path());
            return response;
        } catch (RefusedException refused) {
            return problem(refused.status(), refused);
        } catch (CommandConflictException conflict) {
            return problem(409, conflict);
        } catch (CommandRefusedException refused) {
            return problem(400, refused);
        } catch (IllegalArgumentException notHere) {
            return problem(404, notHere);
        } catch (SourceUnavailableException away) {
            LOG.debug("The dashboard can't answer {} at the moment", request.path(), away);
            return problem(503, "Kafka can't be reached at the moment. Try again.");
        } catch (DataAccessException | TransactionException failure) {
            return databaseProblem(request, failure);
        }
    }

    private DashboardResponse databaseProblem(DashboardRequest request, NestedRuntimeException failure) {
        Optional<String> passing = DatabaseTrouble.of(failure);
        if (passing.isPresent()) {
            LOG.debug("The dashboard can't answer {} at the moment", request.path(), failure);
            return problem(503, passing.get() + ".");
        }
        String text = String.valueOf(failure.getMessage());
        if (!text.equals(logged.put(request.path(), text))) {
            LOG.warn(
                    "The dashboard can't answer {}: an error of the database, which won't pass by itself. Logged once, until"
                            + " this is answered again.",
                    request.path(),
                    failure);
        }
        return problem(500, "An error of the database; its text is in the log.");
    }

    private DashboardResponse route(DashboardRequest request) {
        String below = DashboardPath.below(path, request.path());
        if (below == null) {
            // Relative, so that it is right behind any proxy: what the page needs is below it.
            return DashboardResponse.redirect(path.substring(path.lastIndexOf('/') + 1) + "/");
        }
        if (request.method().equals("POST") && below.equals("api/commands")) {
            return json(command(request));
        }
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            throw new RefusedException(405, request.method() + " isn't known here.");
        }
        return switch (below) {
            case "api/session" -> json(session(request.visitor()));
            case "api/streams" -> json(streams(request));
            case "api/stream" -> json(stream(request));
            case "api/batches" -> json(batches(request));
            case "api/batch-of-record" -> json(batchOfRecord(request));
            case "api/dead-letters" -> json(waiting(request));
            case "api/dead-letter" -> json(deadLetter(request));
            case "api/commands" -> json(history(request));
            default -> files.find(below, request).orElseThrow(() -> new RefusedException(404, "Not found."));
        };
    }

    /** The only way to a command. */
    private CommandRecord command(DashboardRequest request) {
        CrossSite.refuse(request);
        Visitor visitor = request.visitor();
        if (!rights.mayCommand(visitor)) {
            throw new RefusedException(403, rights.whyReadOnly(visitor));
        }
        StreamCommand command = CommandForm.read(request.body());
        return commands.submit(command.by(visitor.name() == null ? SOMEBODY : visitor.name()));
    }

    private Session session(Visitor visitor) {
        boolean mayCommand = rights.mayCommand(visitor);
        return new Session(
                visitor.name(),
                mayCommand,
                mayCommand ? null : rights.whyReadOnly(visitor),
                rights.maySeePayloads(visitor),
                CrossSite.HEADER,
                // To ask for it may begin a session, which who only looks doesn't need.
                mayCommand ? visitor.csrfToken().get().orElse(null) : null);
    }

    private List<StreamSummary> streams(DashboardRequest request) {
        long since = request.number("since", 0);
        boolean payloads = rights.maySeePayloads(request.visitor());
        return reports.streams().stream()
                .map(report ->
                        new StreamSummary(FailureView.of(report, payloads), sampler.since(report.stream(), since)))
                .toList();
    }

    private StreamDetail stream(DashboardRequest request) {
        String stream = request.required("stream");
        boolean payloads = rights.maySeePayloads(request.visitor());
        return new StreamDetail(
                FailureView.of(reports.stream(stream), payloads),
                reports.lanes(stream).stream()
                        .map(lane -> FailureView.of(lane, payloads))
                        .toList(),
                sampler.since(stream, request.number("since", 0)));
    }

    private List<BatchReport> batches(DashboardRequest request) {
        String lane = request.parameters().get("lane");
        return reports.batches(
                request.required("stream"),
                lane == null || lane.isEmpty() ? null : lane,
                limit(request, 100, MOST_ROWS));
    }

    private BatchReport batchOfRecord(DashboardRequest request) {
        String stream = request.required("stream");
        String topic = request.required("topic");
        int partition = (int) Math.min(Integer.MAX_VALUE, request.number("partition", 0));
        return reports.batchOf(stream, topic, partition, request.number("offset", 0))
                .orElseThrow(() -> new RefusedException(
                        404,
                        "No batch that the logs still have contains this record."
                                + logsBegin(stream, topic + "-" + partition)));
    }

    /** An older record, or one that is still to come? */
    private String logsBegin(String stream, String lane) {
        return reports.oldestBatch(stream, lane)
                .map(oldest -> " The logs of lane " + lane + " begin with batch " + oldest.batchId() + ", at offset "
                        + oldest.range().starts().get(lane) + ".")
                .orElse("");
    }

    private List<DeadLetterView> waiting(DashboardRequest request) {
        boolean payloads = rights.maySeePayloads(request.visitor());
        return deadLetters
                .waiting(request.required("stream"), request.number("after", 0), limit(request, 50, MOST_DEAD_LETTERS))
                .stream()
                .map(letter -> DeadLetterView.inShort(letter, payloads))
                .toList();
    }

    private DeadLetterView deadLetter(DashboardRequest request) {
        return deadLetters
                .find(request.required("stream"), request.number("id", 0))
                .map(letter -> DeadLetterView.inFull(letter, rights.maySeePayloads(request.visitor())))
                .orElseThrow(() -> new RefusedException(404, "There is no such dead letter."));
    }

    private List<CommandRecord> history(DashboardRequest request) {
        long before = request.number("before", Long.MAX_VALUE);
        return commands.history(
                request.required("stream"), before == Long.MAX_VALUE ? null : before, limit(request, 50, MOST_ROWS));
    }

    private static int limit(DashboardRequest request, int otherwise, int most) {
        return (int) Math.max(1, Math.min(most, request.number("limit", otherwise)));
    }

    private static DashboardResponse json(Object value) {
        return DashboardResponse.json(200, Json.write(value));
    }

    private static DashboardResponse problem(int status, RuntimeException why) {
        String message = why.getMessage();
        return problem(status, message == null ? "Not possible." : message);
    }

    private static DashboardResponse problem(int status, String message) {
        return DashboardResponse.json(status, Json.write(new Problem(message)));
    }
}
