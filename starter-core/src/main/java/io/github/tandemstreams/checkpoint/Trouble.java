package io.github.tandemstreams.checkpoint;

import java.util.Optional;

/**
 * What is stored of a batch's failures, with its plan. A batch without any costs nothing.
 *
 * @param attempts runs that were begun, as far as they were written: none is for the first run of a fresh plan
 * @param search how far the search for guilty records is
 * @param verdict what it found
 */
public record Trouble(int attempts, Optional<Search> search, Optional<Verdict> verdict) {

    public static final Trouble NONE = new Trouble(0, Optional.empty(), Optional.empty());

    /** The next run is number {@code attempts}. */
    public Trouble attempt(int attempts) {
        return new Trouble(attempts, search, verdict);
    }

    /** Nobody died in the trial that was under way; it was broken off, and tells nothing. */
    public Trouble withoutTrial() {
        return new Trouble(attempts, search.map(Search::withoutTrial), verdict);
    }

    public Trouble with(Search now) {
        return new Trouble(attempts, Optional.of(now), Optional.empty());
    }

    public Trouble with(Verdict found) {
        return new Trouble(attempts, Optional.empty(), Optional.of(found));
    }

    /** The verdict was wrong. */
    public Trouble withoutVerdict() {
        return new Trouble(attempts, Optional.empty(), Optional.empty());
    }
}
