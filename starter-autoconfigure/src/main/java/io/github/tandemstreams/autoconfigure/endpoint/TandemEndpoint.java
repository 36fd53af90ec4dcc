package io.github.tandemstreams.autoconfigure.endpoint;

import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.StreamCommands;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * Streams, their lanes, batches, dead letters and commands, whichever instances they run on; and commands. Commands need
 * {@code management.endpoint.tandem.access=unrestricted}. What dead letters hold, and
 * why lanes failed, is shown as {@link TandemEndpointProperties} say.
 *
 * <p>These operations are JMX's. Over the web those of {@link TandemEndpointWebExtension} take their place, which know who
 * asks, and answer with a status.
 */
@Endpoint(id = "tandem", defaultAccess = Access.READ_ONLY)
final class TandemEndpoint {

    private static final String NOBODY = "actuator";

    private final StreamViews views;
    private final StreamCommands commands;
    private final TandemEndpointProperties properties;

    TandemEndpoint(StreamViews views, StreamCommands commands, TandemEndpointProperties properties) {
        this.views = views;
        this.commands = commands;
        this.properties = properties;
    }

    @ReadOperation
    Map<String, Object> streams() {
        return streams(isShownOverJmx());
    }

    @ReadOperation
    StreamDescriptor stream(@Selector String stream) {
        return stream(stream, isShownOverJmx());
    }

    /** @param part one of {@link Part} */
    @ReadOperation
    Map<String, Object> list(
            @Selector String stream,
            @Selector String part,
            @Nullable String lane,
            @Nullable String record,
            @Nullable String from,
            @Nullable Long after,
            @Nullable Integer limit) {
        return list(stream, part, new StreamViews.Page(lane, record, from, after, limit), isShownOverJmx());
    }

    @ReadOperation
    OperationResponseBody find(@Selector String stream, @Selector String part, @Selector String id) {
        return find(stream, part, id, isShownOverJmx());
    }

    @WriteOperation
    CommandDescriptor command(
            @Selector String stream,
            @Nullable String action,
            @Nullable String lane,
            @Nullable Boolean dryRun,
            @Nullable String expectedVersion,
            @Nullable String reason,
            @Nullable String issuedBy,
            @Nullable Long batch,
            @Nullable String timestamp,
            @Nullable String offsets,
            @Nullable String ids,
            @Nullable String causeClass,
            @Nullable String parkedBefore) {
        CommandRequest request = new CommandRequest(
                action,
                lane,
                dryRun,
                expectedVersion,
                reason,
                batch,
                timestamp,
                offsets,
                ids,
                causeClass,
                parkedBefore);
        return submit(stream, request, named(issuedBy));
    }

    /** Who wants a command where nobody is authenticated. */
    static String named(@Nullable String issuedBy) {
        return issuedBy == null || issuedBy.isBlank() ? NOBODY : issuedBy;
    }

    Map<String, Object> streams(boolean payloads) {
        return views.all(payloads);
    }

    StreamDescriptor stream(String stream, boolean payloads) {
        return views.one(stream, payloads);
    }

    Map<String, Object> list(String stream, String part, StreamViews.Page page, boolean payloads) {
        return views.list(stream, part, page, payloads);
    }

    OperationResponseBody find(String stream, String part, String id, boolean payloads) {
        return views.find(stream, part, id, payloads);
    }

    CommandDescriptor submit(String stream, CommandRequest request, String who) {
        views.requireStream(stream);
        StreamCommand command = request.toCommand(stream, who);
        views.requireLane(stream, command.lane());
        return CommandDescriptor.of(commands.submit(command));
    }

    /** Who may use JMX is the JVM's to say, and authorized here: so it is with the endpoint {@code env}, too. */
    private boolean isShownOverJmx() {
        return properties.showPayloads().isShown(true);
    }
}
