package io.github.tandemstreams.acceptance;

import java.util.List;

/**
 * Publishes flights in small bursts, so that lanes are busy and idle in turn for as long as a test needs: each burst is a part
 * of what is left.
 */
final class Feed implements AutoCloseable {

    private static final long INTERVAL_MILLIS = 100;
    private static final int PART = 1000;
    private static final int AT_LEAST = 2;

    private final Run run;
    private final List<Flight> flights;
    private final Thread thread = new Thread(this::publish, "feed");
    private volatile boolean ended;
    private volatile Throwable failure;
    private int next;

    private Feed(Run run, List<Flight> flights) {
        this.run = run;
        this.flights = flights;
    }

    static Feed start(Run run, List<Flight> flights) {
        Feed feed = new Feed(run, flights);
        feed.thread.setDaemon(true);
        feed.thread.start();
        return feed;
    }

    private void publish() {
        try {
            while (!ended && next < flights.size()) {
                publish(Math.max(AT_LEAST, (flights.size() - next) / PART));
                Thread.sleep(INTERVAL_MILLIS);
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        } catch (Throwable failed) {
            failure = failed;
        }
    }

    private void publish(int burst) {
        int end = Math.min(flights.size(), next + burst);
        run.publish(flights.subList(next, end));
        next = end;
    }

    /** Publishes the rest at once, and returns how much that was. */
    int publishRest() throws InterruptedException {
        close();
        if (failure != null) {
            throw new IllegalStateException("The feed ended early", failure);
        }
        int rest = flights.size() - next;
        publish(rest);
        return rest;
    }

    @Override
    public void close() throws InterruptedException {
        ended = true;
        thread.join();
    }
}
