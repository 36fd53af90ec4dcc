package io.github.tandemstreams.dashboard;

import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Refuses commands that another site's page had the browser send. A form can't send JSON, nor a header of its own; a script
 * of another origin would need this application's leave for both; and a browser tells where a request comes from. All three
 * are asked for, so that none of them alone has to hold. What isn't a browser tells nothing, and sends no visitor's cookies.
 */
final class CrossSite {

    /** The header that a command must have, with any value. */
    static final String HEADER = "X-Tandem-Dashboard";

    private CrossSite() {}

    static void refuse(DashboardRequest request) {
        String contentType = request.headers().get("Content-Type");
        if (contentType == null || !mediaType(contentType).equals("application/json")) {
            throw new RefusedException(415, "A command must be sent as application/json.");
        }
        if (request.headers().get(HEADER) == null) {
            throw new RefusedException(403, "A command must have the header " + HEADER + ".");
        }
        String site = request.headers().get("Sec-Fetch-Site");
        String origin = request.headers().get("Origin");
        if (site != null ? !site.equals("same-origin") : origin != null && !isOriginOf(origin, request.uri())) {
            throw new RefusedException(
                    403,
                    "The command comes from another site" + (origin == null ? "" : ", " + origin)
                            + ". Behind a proxy, set server.forward-headers-strategy.");
        }
    }

    private static String mediaType(String contentType) {
        int parameters = contentType.indexOf(';');
        return (parameters < 0 ? contentType : contentType.substring(0, parameters))
                .trim()
                .toLowerCase(Locale.ROOT);
    }

    private static boolean isOriginOf(String origin, URI address) {
        try {
            URI from = URI.create(origin);
            return from.getHost() != null
                    && from.getHost().equalsIgnoreCase(address.getHost())
                    && port(from) == port(address);
        } catch (IllegalArgumentException opaque) {
            return false;
        }
    }

    private static int port(URI address) {
        if (address.getPort() >= 0) {
            return address.getPort();
        }
        return "https".equals(scheme(address.getScheme())) ? 443 : 80;
    }

    private static @Nullable String scheme(@Nullable String scheme) {
        return scheme == null ? null : scheme.toLowerCase(Locale.ROOT);
    }
}
