package io.github.tandemstreams.dashboard;

import io.github.tandemstreams.dashboard.Visitor.CsrfToken;
import java.security.Principal;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.util.ClassUtils;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The dashboard under Spring WebFlux: what waits for the database does so on a thread that may. */
final class ReactiveDashboard {

    private static final boolean SPRING_SECURITY = ClassUtils.isPresent(
            "org.springframework.security.web.server.csrf.CsrfToken", ReactiveDashboard.class.getClassLoader());

    private final Dashboard dashboard;

    ReactiveDashboard(Dashboard dashboard) {
        this.dashboard = dashboard;
    }

    RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route(
                RequestPredicates.path(dashboard.path()).or(RequestPredicates.path(dashboard.path() + "/**")),
                this::handle);
    }

    private Mono<ServerResponse> handle(ServerRequest request) {
        Mono<Optional<Principal>> principal =
                request.principal().<Optional<Principal>>map(Optional::of).defaultIfEmpty(Optional.empty());
        return Mono.zip(body(request), principal)
                .flatMap(both -> Mono.fromCallable(() -> dashboard.answer(
                                question(request, both.getT1(), both.getT2().orElse(null))))
                        .subscribeOn(Schedulers.boundedElastic()))
                .flatMap(response -> {
                    ServerResponse.BodyBuilder builder = ServerResponse.status(response.status());
                    response.headers().forEach(builder::header);
                    return response.body().length == 0 ? builder.build() : builder.bodyValue(response.body());
                });
    }

    private DashboardRequest question(ServerRequest request, byte[] body, @Nullable Principal principal) {
        return new DashboardRequest(
                request.method().name(),
                request.path(),
                request.uri(),
                name -> request.headers().firstHeader(name),
                name -> request.queryParam(name).orElse(null),
                body,
                visitor(request, principal));
    }

    private static Mono<byte[]> body(ServerRequest request) {
        return DataBufferUtils.join(request.body(BodyExtractors.toDataBuffers()), DashboardRequest.MAX_BODY)
                .map(ReactiveDashboard::bytes)
                // Longer than any command: without it, it is no JSON, and refused as such.
                .onErrorReturn(DataBufferLimitException.class, new byte[0])
                .defaultIfEmpty(new byte[0]);
    }

    private static byte[] bytes(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        return bytes;
    }

    private static Visitor visitor(ServerRequest request, @Nullable Principal principal) {
        return SPRING_SECURITY
                ? SpringSecurity.visitor(request, principal)
                : new Visitor(principal == null ? null : principal.getName(), role -> false, Optional::empty);
    }

    /** Its classes are there only where Spring Security is. */
    private static final class SpringSecurity {

        static Visitor visitor(ServerRequest request, @Nullable Principal principal) {
            return new Visitor(
                    principal == null || principal instanceof AnonymousAuthenticationToken ? null : principal.getName(),
                    principal instanceof Authentication user ? hasRole(user) : role -> false,
                    () -> csrfToken(request));
        }

        private static Predicate<String> hasRole(Authentication user) {
            return role -> user.getAuthorities().stream()
                    .anyMatch(authority -> ("ROLE_" + role).equals(authority.getAuthority()));
        }

        /** In a header: parameters of the query aren't looked at. */
        private static Optional<CsrfToken> csrfToken(ServerRequest request) {
            String attribute = org.springframework.security.web.server.csrf.CsrfToken.class.getName();
            return request.attribute(attribute)
                    .flatMap(token -> ((Mono<?>) token)
                            .cast(org.springframework.security.web.server.csrf.CsrfToken.class)
                            .map(known -> CsrfToken.inHeader(known.getHeaderName(), known.getToken()))
                            .blockOptional());
        }
    }
}
