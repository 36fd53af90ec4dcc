package io.github.tandemstreams.dashboard;

import org.jspecify.annotations.Nullable;

/** Paths below that of the page. */
final class DashboardPath {

    private DashboardPath() {}

    /** Null for the page without its slash, to which nothing could be relative. */
    static @Nullable String below(String page, String path) {
        return path.length() <= page.length() ? null : path.substring(page.length() + 1);
    }
}
