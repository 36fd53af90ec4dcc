package io.github.tandemstreams.checkpoint;

/** The database doesn't answer on the connection of a transaction any more; whatever failed in it, that may be why. */
public class ConnectionLostException extends RuntimeException {

    public ConnectionLostException(Throwable cause) {
        super("The connection was lost in a transaction", cause);
    }
}
