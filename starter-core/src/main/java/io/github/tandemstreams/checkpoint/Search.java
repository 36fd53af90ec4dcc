package io.github.tandemstreams.checkpoint;

import io.github.tandemstreams.checkpoint.Verdict.Guilty;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How far the search for the guilty records of a batch is: written before each trial, so that a record which takes the
 * process down with it is found by the processes that come after. All bounds are offsets of the lane's partition.
 *
 * <p>What is known: the batch up to {@code passed}, without the guilty, runs; up to {@code failed} it doesn't, and nothing
 * is known where {@code failed} is {@link #UNKNOWN}.
 *
 * @param guilty records found so far
 * @param passed the prefix that ends before this offset runs
 * @param failed the prefix that ends before this offset fails; {@link #UNKNOWN} if none is known to
 * @param trial end of the prefix that is under trial; {@link #UNKNOWN} between trials
 * @param judge who began that trial; null between trials
 * @param deaths who died, as far as is known, in a trial whose last record is the only one in doubt
 * @param stepwise whether each trial adds one step only, since the process may die in it
 */
public record Search(
        List<Guilty> guilty,
        long passed,
        long failed,
        long trial,
        @Nullable UUID judge,
        List<UUID> deaths,
        boolean stepwise) {

    public static final long UNKNOWN = -1;

    public Search {
        guilty = List.copyOf(guilty);
        deaths = List.copyOf(deaths);
    }

    /** Nothing is known of a batch that starts here. */
    public static Search from(long start, boolean stepwise) {
        return new Search(List.of(), start, UNKNOWN, UNKNOWN, null, List.of(), stepwise);
    }

    /** A trial of the prefix before {@code end} begins. */
    public Search trying(long end, UUID owner) {
        return new Search(guilty, passed, failed, end, owner, deaths, stepwise);
    }

    /** The trial was broken off, and tells nothing. */
    public Search withoutTrial() {
        return new Search(guilty, passed, failed, UNKNOWN, null, deaths, stepwise);
    }

    /** Who was thought to have died may have told since that its trial ended. */
    public Search withDeathsOf(Predicate<UUID> dead) {
        List<UUID> remaining = deaths.stream().filter(dead).toList();
        return new Search(guilty, passed, failed, trial, judge, remaining, stepwise);
    }

    /** The process died in it; from now on each trial adds one step only. */
    public Search afterDeath() {
        return new Search(guilty, passed, failed, UNKNOWN, null, List.of(), true);
    }

    /** The prefix before {@code end} ran. */
    public Search passedUpTo(long end) {
        boolean refuted = failed != UNKNOWN && failed <= end;
        return new Search(guilty, end, refuted ? UNKNOWN : failed, UNKNOWN, null, List.of(), stepwise);
    }

    /** The prefix before {@code start} ran, the one before {@code end} didn't. */
    public Search failedBetween(long start, long end) {
        return new Search(guilty, start, end, UNKNOWN, null, List.of(), stepwise);
    }

    /** The judge died while a prefix was on trial whose last record is the only one in doubt. */
    public Search diedInTrial() {
        List<UUID> more = new ArrayList<>(deaths);
        if (judge != null) {
            more.add(judge);
        }
        return new Search(guilty, passed, trial, UNKNOWN, null, more, true);
    }

    /** A record is found: the prefix up to and with it runs without it. */
    public Search condemned(Guilty record) {
        List<Guilty> more = new ArrayList<>(guilty);
        more.add(record);
        return new Search(more, record.offset() + 1, UNKNOWN, UNKNOWN, null, List.of(), stepwise);
    }
}
