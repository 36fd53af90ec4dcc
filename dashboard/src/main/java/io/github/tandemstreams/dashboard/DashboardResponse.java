package io.github.tandemstreams.dashboard;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is answered.
 *
 * @param status HTTP status
 * @param headers headers, all that are needed
 * @param body body
 */
record DashboardResponse(int status, Map<String, String> headers, byte[] body) {

    /**
     * Scripts, styles and data from the application alone, nothing inline, and no frame around it. So a script that came with
     * a record's key, value or exception runs nowhere, even if it were ever taken for markup.
     */
    private static final Map<String, String> SECURITY = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options",
            "nosniff",
            "X-Frame-Options",
            "DENY",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Resource-Policy",
            "same-origin");

    DashboardResponse {
        headers = Map.copyOf(headers);
    }

    static DashboardResponse of(int status, String contentType, String cacheControl, byte[] body) {
        Map<String, String> headers = new LinkedHashMap<>(SECURITY);
        headers.put("Content-Type", contentType);
        headers.put("Cache-Control", cacheControl);
        return new DashboardResponse(status, headers, body);
    }

    static DashboardResponse json(int status, byte[] json) {
        return of(status, "application/json", "no-store", json);
    }

    /** To another address. */
    static DashboardResponse redirect(String location) {
        return of(302, "text/plain", "no-store", new byte[0]).with("Location", location);
    }

    DashboardResponse with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new DashboardResponse(status, more, body);
    }
}
