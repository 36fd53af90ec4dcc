package io.github.tandemstreams.autoconfigure.endpoint;

import io.github.tandemstreams.CommandConflictException;
import io.github.tandemstreams.CommandRefusedException;
import io.github.tandemstreams.autoconfigure.DatabaseTrouble;
import io.github.tandemstreams.source.SourceUnavailableException;
import io.github.tandemstreams.source.TopicNotFoundException;
import java.security.Principal;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * The endpoint over the web. What goes wrong has a status and a {@code message}: 400 if a command is refused or isn't
 * understood, 404 if the stream or what else is named isn't there, 409 if another command came between, 503 if the
 * database or the source can't be reached, or somebody holds a lock that it needs.
 */
@EndpointWebExtension(endpoint = TandemEndpoint.class)
final class TandemEndpointWebExtension {

    private static final int STATUS_CONFLICT = 409;

    private final TandemEndpoint endpoint;
    private final TandemEndpointProperties properties;

    TandemEndpointWebExtension(TandemEndpoint endpoint, TandemEndpointProperties properties) {
        this.endpoint = endpoint;
        this.properties = properties;
    }

    @ReadOperation
    WebEndpointResponse<Object> streams(SecurityContext security) {
        return answer(() -> endpoint.streams(isShown(security)));
    }

    @ReadOperation
    WebEndpointResponse<Object> stream(SecurityContext security, @Selector String stream) {
        return answer(() -> endpoint.stream(stream, isShown(security)));
    }

    @ReadOperation
    WebEndpointResponse<Object> list(
            SecurityContext security,
            @Selector String stream,
            @Selector String part,
            @Nullable String lane,
            @Nullable String record,
            @Nullable String from,
            @Nullable Long after,
            @Nullable Integer limit) {
        return answer(() ->
                endpoint.list(stream, part, new StreamViews.Page(lane, record, from, after, limit), isShown(security)));
    }

    @ReadOperation
    WebEndpointResponse<Object> find(
            SecurityContext security, @Selector String stream, @Selector String part, @Selector String id) {
        return answer(() -> endpoint.find(stream, part, id, isShown(security)));
    }

    /** @param issuedBy who wants it, where nobody is authenticated */
    @WriteOperation
    WebEndpointResponse<Object> command(
            SecurityContext security,
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
        return answer(() -> endpoint.submit(stream, request, who(security, issuedBy)));
    }

    private boolean isShown(SecurityContext security) {
        return properties.showPayloads().isShown(security, properties.roles());
    }

    private static String who(SecurityContext security, @Nullable String issuedBy) {
        Principal principal = security.getPrincipal();
        return principal == null ? TandemEndpoint.named(issuedBy) : principal.getName();
    }

    private static WebEndpointResponse<Object> answer(Supplier<?> operation) {
        try {
            return new WebEndpointResponse<>(operation.get());
        } catch (NotFoundException | TopicNotFoundException unknown) {
            return problem(WebEndpointResponse.STATUS_NOT_FOUND, unknown.getMessage());
        } catch (InvalidEndpointRequestException | CommandRefusedException refused) {
            return problem(WebEndpointResponse.STATUS_BAD_REQUEST, refused.getMessage());
        } catch (CommandConflictException conflict) {
            return problem(STATUS_CONFLICT, conflict.getMessage());
        } catch (DataAccessException | TransactionException failure) {
            String notNow = DatabaseTrouble.of(failure).orElseThrow(() -> failure);
            return problem(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, notNow);
        } catch (SourceUnavailableException away) {
            return problem(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, away.getMessage());
        }
    }

    private static WebEndpointResponse<Object> problem(int status, @Nullable String message) {
        return new WebEndpointResponse<>(OperationResponseBody.of(Map.of("message", String.valueOf(message))), status);
    }
}
