package io.github.tandemstreams.dashboard;

import io.github.tandemstreams.dashboard.Visitor.CsrfToken;
import java.io.IOException;
import java.security.Principal;
import java.util.Optional;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** The dashboard under Spring MVC. */
final class ServletDashboard {

    private static final boolean SPRING_SECURITY = ClassUtils.isPresent(
            "org.springframework.security.web.csrf.CsrfToken", ServletDashboard.class.getClassLoader());

    private final Dashboard dashboard;

    ServletDashboard(Dashboard dashboard) {
        this.dashboard = dashboard;
    }

    RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route(
                RequestPredicates.path(dashboard.path()).or(RequestPredicates.path(dashboard.path() + "/**")),
                this::handle);
    }

    private ServerResponse handle(ServerRequest request) throws IOException {
        DashboardResponse response = dashboard.answer(new DashboardRequest(
                request.method().name(),
                request.path(),
                request.uri(),
                request.servletRequest()::getHeader,
                name -> request.param(name).orElse(null),
                body(request),
                visitor(request)));
        ServerResponse.BodyBuilder builder = ServerResponse.status(response.status());
        response.headers().forEach(builder::header);
        return response.body().length == 0 ? builder.build() : builder.body(response.body());
    }

    /** What is longer than any command is cut: so it is no JSON any more, and refused as such. */
    private static byte[] body(ServerRequest request) throws IOException {
        return request.servletRequest().getInputStream().readNBytes(DashboardRequest.MAX_BODY);
    }

    private static Visitor visitor(ServerRequest request) {
        return new Visitor(
                request.principal().map(Principal::getName).orElse(null),
                request.servletRequest()::isUserInRole,
                () -> SPRING_SECURITY ? SpringSecurity.csrfToken(request) : Optional.empty());
    }

    /** Its classes are there only where Spring Security is. */
    private static final class SpringSecurity {

        /**
         * As a parameter: there each of Spring Security's handlers takes the token as the request has it. In a header the one
         * for single-page applications takes only a token from the cookie.
         */
        static Optional<CsrfToken> csrfToken(ServerRequest request) {
            String attribute = org.springframework.security.web.csrf.CsrfToken.class.getName();
            return request.attribute(attribute)
                    .map(org.springframework.security.web.csrf.CsrfToken.class::cast)
                    .map(token -> CsrfToken.inQuery(token.getParameterName(), token.getToken()));
        }
    }
}
