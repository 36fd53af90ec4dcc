package io.github.tandemstreams.checkpoint;

import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What is stored of a batch's failures, with its plan. A batch without any costs nothing.
 *
 * @param attempts runs that failed, as far as they were written: none is for the first run of a fresh plan
 * @param begun owners that began a run or a trial of the batch and haven't told its end, as a claim found them: each died
 *     in it, or is still at it without knowing that it lost the lane
 * @param search how far the search for guilty records is
 * @param verdict what it found
 */
public record Trouble(int attempts, Set<UUID> begun, Optional<Search> search, Optional<Verdict> verdict) {

    public static final Trouble NONE = new Trouble(0, Set.of(), Optional.empty(), Optional.empty());

    public Trouble {
        begun = Set.copyOf(begun);
    }

    /** So many runs have failed. */
    public Trouble attempts(int attempts) {
        return new Trouble(attempts, begun, search, verdict);
    }

    /** Nobody died in the trial that was under way; it was broken off, and tells nothing. */
    public Trouble withoutTrial() {
        return new Trouble(attempts, begun, search.map(Search::withoutTrial), verdict);
    }

    public Trouble with(Search now) {
        return new Trouble(attempts, begun, Optional.of(now), Optional.empty());
    }

    public Trouble with(Verdict found) {
        return new Trouble(attempts, begun, Optional.empty(), Optional.of(found));
    }

    /** The verdict was wrong. */
    public Trouble withoutVerdict() {
        return new Trouble(attempts, begun, Optional.empty(), Optional.empty());
    }
}
