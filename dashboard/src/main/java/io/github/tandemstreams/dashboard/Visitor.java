package io.github.tandemstreams.dashboard;

import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who asks.
 *
 * @param name name of the authenticated user; null if nobody is
 * @param hasRole whether the user has a role
 * @param csrfToken what Spring Security demands with a command; empty where it demands nothing
 */
record Visitor(@Nullable String name, Predicate<String> hasRole, Supplier<Optional<CsrfToken>> csrfToken) {

    /**
     * A token against cross-site requests, and where it is expected.
     *
     * @param header name of the header; null if it is a parameter of the query
     * @param parameter name of the parameter; null if it is a header
     */
    record CsrfToken(@Nullable String header, @Nullable String parameter, String token) {

        static CsrfToken inHeader(String header, String token) {
            return new CsrfToken(header, null, token);
        }

        static CsrfToken inQuery(String parameter, String token) {
            return new CsrfToken(null, parameter, token);
        }
    }
}
