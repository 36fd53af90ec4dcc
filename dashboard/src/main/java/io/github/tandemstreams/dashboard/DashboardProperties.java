package io.github.tandemstreams.dashboard;

import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the dashboard.
 *
 * @param enabled Whether the dashboard is served.
 * @param path Path of the page. All that it needs is below.
 * @param access Who may give commands. Whether somebody may see the page at all is decided by the application's own
 *     security, for this path as for any other.
 * @param showPayloads Who sees the keys, values and headers of dead letters, what their exceptions say, and why lanes
 *     failed.
 * @param roles Roles of which one is needed where access or show-payloads say "when-authorized". Without any, each
 *     authenticated user is authorized.
 */
@ConfigurationProperties("tandem.dashboard")
record DashboardProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("/tandem") String path,
        @DefaultValue("read-only") Access access,
        @DefaultValue("never") Show showPayloads,
        @DefaultValue Set<String> roles) {

    /** Who may give commands. */
    enum Access {
        /** Nobody. */
        READ_ONLY,
        /** Users that are authenticated and have one of the roles. */
        WHEN_AUTHORIZED,
        /** Whoever the application lets reach the page. */
        UNRESTRICTED
    }

    /** Who sees what may be private. */
    enum Show {
        /** Nobody. */
        NEVER,
        /** Users that are authenticated and have one of the roles. */
        WHEN_AUTHORIZED,
        /** Whoever the application lets reach the page. */
        ALWAYS
    }

    DashboardProperties {
        path = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        if (!path.matches("(/[A-Za-z0-9._~-]+)+")) {
            throw new IllegalArgumentException(
                    "tandem.dashboard.path must be a plain path such as /tandem or /ops/tandem, "
                            + "not the root and without a pattern: '" + path + "'");
        }
        roles = Set.copyOf(roles);
    }
}
