package io.github.tandemstreams.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** A chooser that keeps a schedule, or draws one, and notes what there was to choose from. */
final class Recorder implements Chooser {

    /** Decides at one decision. */
    private interface Draw {

        int from(int decision, int options);
    }

    private final Draw draw;
    private final List<Schedule.Deviation> deviations = new ArrayList<>();
    private byte[] options = new byte[256];
    private int decisions;

    private Recorder(Draw draw) {
        this.draw = draw;
    }

    /** Keeps to a schedule. */
    static Recorder keeping(Schedule schedule) {
        return new Recorder(new Draw() {

            private int next;

            @Override
            public int from(int decision, int options) {
                if (next < schedule.deviations().size()) {
                    Schedule.Deviation deviation = schedule.deviations().get(next);
                    if (deviation.decision() == decision) {
                        next++;
                        return deviation.option() < options ? deviation.option() : 0;
                    }
                }
                return 0;
            }
        });
    }

    /** Draws a schedule: how often it deviates, and how many times at most, differs from seed to seed. */
    static Recorder drawing(long seed) {
        Random random = new Random(seed);
        int oneIn = 2 + random.nextInt(20);
        int most = 1 + random.nextInt(24);
        return new Recorder(new Draw() {

            private int left = most;

            @Override
            public int from(int decision, int options) {
                if (left == 0 || options == 1 || random.nextInt(oneIn) > 0) {
                    return 0;
                }
                left--;
                return 1 + random.nextInt(options - 1);
            }
        });
    }

    @Override
    public int choose(int available) {
        int chosen = draw.from(decisions, available);
        if (decisions == options.length) {
            options = Arrays.copyOf(options, 2 * decisions);
        }
        options[decisions] = (byte) available;
        if (chosen > 0) {
            deviations.add(new Schedule.Deviation(decisions, chosen));
        }
        decisions++;
        return chosen;
    }

    int decisions() {
        return decisions;
    }

    /** How many options each decision had. */
    byte[] options() {
        return Arrays.copyOf(options, decisions);
    }

    /** The schedule of the run so far. */
    Schedule schedule() {
        return new Schedule(deviations);
    }
}
