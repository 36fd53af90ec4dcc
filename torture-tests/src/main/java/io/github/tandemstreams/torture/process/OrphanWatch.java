package io.github.tandemstreams.torture.process;

/** Ends a process whose parent is gone, also where that was killed itself and had no time to end its children. */
public final class OrphanWatch {

    /** System property with the parent's process id. */
    static final String PARENT = "torture.parent";

    private OrphanWatch() {}

    /** From now on. */
    public static void start() {
        ProcessHandle.of(Long.getLong(PARENT, 0))
                .ifPresentOrElse(parent -> parent.onExit().thenRun(OrphanWatch::end), OrphanWatch::end);
    }

    private static void end() {
        Runtime.getRuntime().halt(1);
    }
}
