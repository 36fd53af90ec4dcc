package io.github.tandemstreams.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Searches the schedules of a simulation for one that breaks a promise. Stateless: each schedule is a run from the start.
 *
 * <p>{@link #everything} runs each schedule with at most so many deviations from a fixed order exactly once, fewest first.
 * The idea is that of iterative context bounding (Musuvathi and Qadeer, 2007) with delays in place of preemptions (Emmi,
 * Qadeer and Rakamarić, 2011), and faults counted like delays: what breaks a protocol takes few of them. {@link #random}
 * draws longer ones.
 */
public final class Explorer {

    private final Function<Chooser, Run> simulation;

    public Explorer(Function<Chooser, Run> simulation) {
        this.simulation = simulation;
    }

    /**
     * What was searched and found.
     *
     * @param schedules how many were run
     * @param decisions how many decisions they had
     * @param found one that breaks a promise, with as few deviations as can be
     */
    public record Result(long schedules, long decisions, Optional<Found> found) {}

    /**
     * A schedule that breaks a promise.
     *
     * @param schedule the schedule
     * @param seed that it was drawn with; empty if it wasn't
     * @param run what came of it
     */
    public record Found(Schedule schedule, Optional<Long> seed, Run run) {

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder();
            text.append(run.violation().orElseThrow());
            seed.ifPresent(value ->
                    text.append("\n  to repeat: -Dtandem.simulation.seed=").append(value));
            text.append("\n  ").append(schedule.deviations().size()).append(" deviations, ");
            text.append(run.trace().size()).append(" steps:");
            int number = 1;
            for (Run.Step step : run.trace()) {
                text.append("\n  ").append(number++).append(". ").append(step);
            }
            return text.toString();
        }
    }

    // ---- all of them

    /**
     * Runs all schedules with up to {@code depth} deviations, until one breaks a promise; none with fewer deviations does.
     */
    public Result everything(int depth) {
        Count count = new Count();
        List<Parent> level = new ArrayList<>(List.of(run(Schedule.DEFAULT, count)));
        for (int deviations = 1; deviations <= depth; deviations++) {
            List<Parent> next = new ArrayList<>();
            for (Parent parent : level) {
                for (Schedule schedule : parent.children()) {
                    Parent child = run(schedule, count);
                    if (count.found != null) {
                        return count.result();
                    }
                    if (deviations < depth) {
                        next.add(child);
                    }
                }
            }
            level = next;
        }
        return count.result();
    }

    private Parent run(Schedule schedule, Count count) {
        Recorder recorder = Recorder.keeping(schedule);
        Run run = simulation.apply(recorder);
        count.add(recorder, run, Optional.empty());
        return new Parent(schedule, recorder.options());
    }

    /** A schedule that was run, and how many options each of its decisions had. */
    private static final class Parent {

        private final Schedule schedule;
        private final byte[] options;

        Parent(Schedule schedule, byte[] options) {
            this.schedule = schedule;
            this.options = options;
        }

        /** The schedules with one deviation more, after the last one. */
        List<Schedule> children() {
            List<Schedule> children = new ArrayList<>();
            for (int decision = schedule.next(); decision < options.length; decision++) {
                for (int option = 1; option < options[decision]; option++) {
                    children.add(schedule.with(decision, option));
                }
            }
            return children;
        }
    }

    // ---- some of them

    /** Runs so many random schedules, or fewer if one finds something; that one is made shorter. */
    public Result random(long seed, int schedules) {
        Count count = new Count();
        for (long s = seed; s < seed + schedules && count.found == null; s++) {
            Recorder recorder = Recorder.drawing(s);
            Run run = simulation.apply(recorder);
            count.add(recorder, run, Optional.of(s));
        }
        if (count.found != null) {
            count.found = shorter(count.found);
        }
        return count.result();
    }

    /** Leaves out one deviation after the other, as long as a promise is still broken. */
    private Found shorter(Found found) {
        Found shortest = found;
        while (true) {
            Optional<Found> shorter = withOneLess(shortest);
            if (shorter.isEmpty()) {
                return shortest;
            }
            shortest = shorter.get();
        }
    }

    private Optional<Found> withOneLess(Found found) {
        for (Schedule fewer : found.schedule().withOneLess()) {
            Recorder recorder = Recorder.keeping(fewer);
            Run run = simulation.apply(recorder);
            if (run.violation().isPresent()) {
                return Optional.of(new Found(recorder.schedule(), found.seed(), run));
            }
        }
        return Optional.empty();
    }

    /** Counts, and keeps what was found. */
    private static final class Count {

        long schedules;
        long decisions;
        Found found;

        void add(Recorder recorder, Run run, Optional<Long> seed) {
            schedules++;
            decisions += recorder.decisions();
            if (run.violation().isPresent()) {
                found = new Found(recorder.schedule(), seed, run);
            }
        }

        Result result() {
            return new Result(schedules, decisions, Optional.ofNullable(found));
        }
    }
}
