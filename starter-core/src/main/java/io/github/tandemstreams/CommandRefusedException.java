package io.github.tandemstreams;

/** A command can't be carried out as it stands. Nothing was done. */
public class CommandRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param message what is wrong, and what would be possible */
    public CommandRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
