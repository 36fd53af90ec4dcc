package io.github.tandemstreams.engine;

import java.util.Arrays;

/** Whether a batch waits for the end of a search. */
final class SearchLockWait {

    private SearchLockWait() {}

    static boolean isOn() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getState() == Thread.State.WAITING)
                .anyMatch(thread -> Arrays.stream(thread.getValue())
                        .anyMatch(frame -> frame.getClassName().equals(SearchLock.class.getName())
                                && frame.getMethodName().equals("besideOthers")));
    }
}
