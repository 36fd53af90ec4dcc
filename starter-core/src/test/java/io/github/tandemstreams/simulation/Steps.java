package io.github.tandemstreams.simulation;

import java.util.function.BooleanSupplier;

/** Where a client of the simulated database stops and waits. */
public interface Steps {

    /** Goes on at once, and waits on the database's monitor: for ordinary threads. */
    Steps UNHINDERED = new Steps() {

        @Override
        public Fate reach(Point point, String what) {
            return Fate.GOES_ON;
        }

        @Override
        public void await(SimulatedDatabase database, BooleanSupplier condition) {
            database.awaitOnMonitor(condition);
        }

        @Override
        public boolean isCrashed() {
            return false;
        }
    };

    /**
     * The client has come to this point.
     *
     * @param what names the step for people
     * @return how it goes on; a {@link Fate#CRASH} is thrown instead
     * @throws Crash if the client is dead
     */
    Fate reach(Point point, String what);

    /** Waits until the condition holds, which another client's step brings about. Called without the database's monitor. */
    void await(SimulatedDatabase database, BooleanSupplier condition);

    /** Whether the client is dead: then its connections aren't closed in order. */
    boolean isCrashed();
}
