package io.github.tandemstreams.dashboard;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * What a browser asks for, whichever web framework brought it.
 *
 * @param method HTTP method
 * @param path path as it was sent, below the context path
 * @param uri address as the browser sees it, as far as the application knows
 * @param headers value of a header, null where it is missing
 * @param parameters value of a query parameter, null where it is missing
 * @param body body; empty where there is none
 * @param visitor who asks
 */
record DashboardRequest(
        String method, String path, URI uri, Lookup headers, Lookup parameters, byte[] body, Visitor visitor) {

    /** Longest body that is read, in bytes. */
    static final int MAX_BODY = 256 * 1024;

    /** Something by name. */
    interface Lookup {
        @Nullable
        String get(String name);
    }

    /** A query parameter that must be there. */
    String required(String parameter) {
        String value = parameters.get(parameter);
        if (value == null || value.isEmpty()) {
            throw new RefusedException(400, "Parameter '" + parameter + "' is missing.");
        }
        return value;
    }

    /** A query parameter that is a number. */
    long number(String parameter, long otherwise) {
        String value = parameters.get(parameter);
        try {
            return value == null || value.isEmpty() ? otherwise : Long.parseLong(value);
        } catch (NumberFormatException notOne) {
            throw new RefusedException(400, "Parameter '" + parameter + "' is no number: " + value);
        }
    }
}
