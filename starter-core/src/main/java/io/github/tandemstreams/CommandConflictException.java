package io.github.tandemstreams;

/** Another command came between what the operator saw and the operator's command. Nothing was done. */
public class CommandConflictException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param message which versions, and who gave the last command */
    public CommandConflictException(String message, Throwable cause) {
        super(message, cause);
    }
}
