package io.github.tandemstreams.engine;

import io.github.tandemstreams.Redrive;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;

/**
 * Re-drives many dead letters, page by page. Those that wait behind others of their keys come once more, as long as some of them
 * get through: ids aren't in the order of offsets where a record was parked again after a rewind.
 *
 * <p>Threading: belongs to one thread.
 */
final class RedriveRun {

    private final Redriver<?> redriver;
    private final LongFunction<List<Long>> pages;
    private final BooleanSupplier goesOn;
    private int done;

    /**
     * A run that hasn't begun.
     *
     * @param pages the ids that follow an id, in their order; none after the last one
     * @param goesOn asked before each letter
     */
    RedriveRun(Redriver<?> redriver, LongFunction<List<Long>> pages, BooleanSupplier goesOn) {
        this.redriver = redriver;
        this.pages = pages;
        this.goesOn = goesOn;
    }

    /** Told once of each letter, how it ended. */
    @FunctionalInterface
    interface Ended {
        void with(long letter, Redrive redrive);
    }

    /** Runs all of them, once; false if it was told not to go on. */
    boolean run(Ended ended) {
        List<Long> behind = new ArrayList<>();
        List<Long> page = pages.apply(0);
        while (!page.isEmpty()) {
            if (!run(page, behind, ended)) {
                return false;
            }
            page = pages.apply(page.get(page.size() - 1));
        }
        int before = 0;
        while (!behind.isEmpty() && done > before) {
            before = done;
            List<Long> again = behind;
            behind = new ArrayList<>();
            if (!run(again, behind, ended)) {
                return false;
            }
        }
        behind.forEach(letter -> ended.with(letter, new Redrive(Redrive.Outcome.BEHIND_ANOTHER, null)));
        return true;
    }

    private boolean run(List<Long> letters, List<Long> behind, Ended ended) {
        for (long letter : letters) {
            if (!goesOn.getAsBoolean()) {
                return false;
            }
            Redrive redrive = redriver.redrive(letter);
            if (redrive.outcome() == Redrive.Outcome.BEHIND_ANOTHER) {
                behind.add(letter);
                continue;
            }
            if (redrive.outcome() == Redrive.Outcome.DONE) {
                done++;
            }
            ended.with(letter, redrive);
        }
        return true;
    }
}
