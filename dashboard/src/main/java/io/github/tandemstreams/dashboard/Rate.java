package io.github.tandemstreams.dashboard;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalDouble;

/** How fast a number grows, over the last seconds: shorter than that, the rhythm of batches would show and not the rate. */
final class Rate {

    /** Seconds. */
    private static final double WINDOW = 15;

    /** Seconds. Ends of lanes that change are told every 5 s. */
    private static final double SILENCE = 8;

    private record Point(double at, long total) {}

    private final Deque<Point> points = new ArrayDeque<>();
    private long seen;

    /**
     * Takes the number as it was at a time. Where it falls, after a rewind say, it hasn't grown.
     *
     * @param at seconds; nothing happens if it isn't later than before
     */
    void add(double at, long number) {
        Point last = points.peekLast();
        if (last != null && at <= last.at) {
            return;
        }
        points.addLast(new Point(at, last == null ? 0 : last.total + Math.max(0, number - seen)));
        seen = number;
        // One that is older stays, to measure from.
        while (points.size() > 2 && secondOldest().at <= at - WINDOW) {
            points.removeFirst();
        }
    }

    /**
     * Growth per second; empty while it can't be told yet. A number that doesn't change may not be told any more, so silence
     * means that nothing was added.
     */
    OptionalDouble perSecond(double now) {
        Point first = points.peekFirst();
        Point last = points.peekLast();
        if (first == null || last == null || first == last) {
            return OptionalDouble.empty();
        }
        if (now - last.at > WINDOW) {
            return OptionalDouble.of(0);
        }
        double until = now - last.at > SILENCE ? now : last.at;
        return OptionalDouble.of((last.total - first.total) / (until - first.at));
    }

    private Point secondOldest() {
        var oldestFirst = points.iterator();
        oldestFirst.next();
        return oldestFirst.next();
    }
}
