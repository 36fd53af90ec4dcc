package io.github.tandemstreams.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * The deviations of a run, in order: all that there is to know to repeat it.
 *
 * @param deviations where it deviates and how
 */
public record Schedule(List<Deviation> deviations) {

    /** The run without any. */
    public static final Schedule DEFAULT = new Schedule(List.of());

    /**
     * One deviation.
     *
     * @param decision number of the decision, from 0
     * @param option number of the option, from 1
     */
    public record Deviation(int decision, int option) {}

    public Schedule {
        deviations = List.copyOf(deviations);
    }

    Schedule with(int decision, int option) {
        List<Deviation> more = new ArrayList<>(deviations);
        more.add(new Deviation(decision, option));
        return new Schedule(more);
    }

    /**
     * All schedules with one deviation less. A deviation that moves nobody is a decision of its own, so those after it may
     * belong one decision earlier now.
     */
    List<Schedule> withOneLess() {
        List<Schedule> fewer = new ArrayList<>();
        for (int i = 0; i < deviations.size(); i++) {
            fewer.add(without(i, 0));
            fewer.add(without(i, 1));
        }
        return fewer;
    }

    private Schedule without(int index, int earlier) {
        List<Deviation> fewer = new ArrayList<>(deviations.subList(0, index));
        for (Deviation later : deviations.subList(index + 1, deviations.size())) {
            fewer.add(new Deviation(later.decision() - earlier, later.option()));
        }
        return new Schedule(fewer);
    }

    /** First decision at which one more deviation may follow. */
    int next() {
        return deviations.isEmpty() ? 0 : deviations.get(deviations.size() - 1).decision() + 1;
    }
}
