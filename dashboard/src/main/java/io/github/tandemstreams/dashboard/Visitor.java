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

    /** A token against cross-site requests, and the header that it is expected in. */
    record CsrfToken(String header, String token) {}
}
