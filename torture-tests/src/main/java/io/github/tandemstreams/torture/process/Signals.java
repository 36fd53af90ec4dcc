package io.github.tandemstreams.torture.process;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Signals, which Java doesn't know. */
public final class Signals {

    private Signals() {}

    /** Sends the signal; does nothing if the process is gone. */
    public static void send(String signal, long pid) {
        try {
            new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
