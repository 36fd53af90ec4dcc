package io.github.tandemstreams.sink;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/**
 * Why a record could not be processed, as text that outlives the process which met the failure.
 *
 * @param type class name of the exception
 * @param message its message, cut where it is long; null if it has none
 * @param stackTrace its stack trace with all causes, cut where it is long; null where there is none
 */
public record Cause(
        String type, @Nullable String message, @Nullable String stackTrace) {

    /** How many characters of a text are kept. */
    public static final int MAX_LENGTH = 16 * 1024;

    public Cause {
        message = cut(message);
        stackTrace = cut(stackTrace);
    }

    /** What an exception says. */
    public static Cause of(Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace, true));
        return new Cause(failure.getClass().getName(), failure.getMessage(), trace.toString());
    }

    private static @Nullable String cut(@Nullable String text) {
        return text == null || text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH);
    }
}
