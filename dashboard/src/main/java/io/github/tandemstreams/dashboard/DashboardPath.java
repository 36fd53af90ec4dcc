package io.github.tandemstreams.dashboard;

import org.jspecify.annotations.Nullable;

/** Paths below that of the page. */
final class DashboardPath {

    private DashboardPath() {}

    /**
     * The part of a path below the page. Routes match more than that: they leave out path parameters and decode, which what
     * guards the path in front of the application may not. So only what begins with the page's own path, letter by letter,
     * is below it.
     *
     * @return null for the page without its slash, to which nothing could be relative
     * @throws RefusedException if the path isn't plainly below
     */
    static @Nullable String below(String page, String path) {
        if (path.equals(page)) {
            return null;
        }
        if (!path.startsWith(page + "/") || path.indexOf(';') >= 0) {
            throw new RefusedException(404, "Not found.");
        }
        return path.substring(page.length() + 1);
    }
}
