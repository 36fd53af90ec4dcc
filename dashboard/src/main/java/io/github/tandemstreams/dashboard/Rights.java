package io.github.tandemstreams.dashboard;

import java.util.Set;

/** What a visitor may do. Immutable. */
final class Rights {

    private final DashboardProperties.Access access;
    private final DashboardProperties.Show showPayloads;
    private final Set<String> roles;

    Rights(DashboardProperties properties) {
        this.access = properties.access();
        this.showPayloads = properties.showPayloads();
        this.roles = properties.roles();
    }

    boolean mayCommand(Visitor visitor) {
        return switch (access) {
            case READ_ONLY -> false;
            case WHEN_AUTHORIZED -> isAuthorized(visitor);
            case UNRESTRICTED -> true;
        };
    }

    boolean maySeePayloads(Visitor visitor) {
        return switch (showPayloads) {
            case NEVER -> false;
            case WHEN_AUTHORIZED -> isAuthorized(visitor);
            case ALWAYS -> true;
        };
    }

    /** What would have to change for a visitor who may not command. */
    String whyReadOnly(Visitor visitor) {
        if (access == DashboardProperties.Access.READ_ONLY) {
            return "The dashboard is read-only. To give commands here, set tandem.dashboard.access.";
        }
        return visitor.name() == null
                ? "You aren't signed in, so the dashboard is read-only for you."
                : "You have none of the roles that may give commands, so the dashboard is read-only for you.";
    }

    private boolean isAuthorized(Visitor visitor) {
        return visitor.name() != null && (roles.isEmpty() || roles.stream().anyMatch(visitor.hasRole()));
    }
}
