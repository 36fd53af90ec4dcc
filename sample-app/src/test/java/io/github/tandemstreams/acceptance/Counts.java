package io.github.tandemstreams.acceptance;

/**
 * How often faults are repeated. The ordinary build does about a third of what {@code -Dtandem.acceptance=full} does; each
 * count has a system property of its own.
 */
final class Counts {

    private static final boolean FULL = "full".equals(System.getProperty("tandem.acceptance"));

    private Counts() {}

    /** SIGKILLs at random moments. */
    static int random() {
        return Integer.getInteger("tandem.crash.random", FULL ? 20 : 7);
    }

    /** Crashes at each of the named points. */
    static int each() {
        return Integer.getInteger("tandem.crash.each", FULL ? 5 : 2);
    }

    /** SIGSTOPs inside a handler. */
    static int stops() {
        return Integer.getInteger("tandem.stops", FULL ? 6 : 2);
    }

    /** For whatever is left to chance; printed, so that a failure can be repeated. */
    static long seed() {
        return Long.getLong("tandem.seed", System.nanoTime());
    }
}
