package io.github.tandemstreams.dashboard;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalDouble;

/** How fast a number grows, over the last seconds: shorter than that, the rhythm of batches would show and not the rate. */
final class Rate {

    /** Seconds. */
    private static final double WINDOW = 15;

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

    /** Growth per second; nothing for a while now is 0, and empty is that it can't be told yet. */
    OptionalDouble perSecond(double now) {
        Point first = points.peekFirst();
        Point last = points.peekLast();
        if (first == null || last == null || first == last) {
            return OptionalDouble.empty();
        }
        if (last.at < now - 2 * WINDOW) {
            return OptionalDouble.of(0);
        }
        return OptionalDouble.of((last.total - first.total) / (last.at - first.at));
    }

    private Point secondOldest() {
        var oldestFirst = points.iterator();
        oldestFirst.next();
        return oldestFirst.next();
    }
}
