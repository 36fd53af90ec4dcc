package io.github.tandemstreams.source;

/** The source can't be reached now. Always worth another try. */
public class SourceUnavailableException extends RuntimeException {

    public SourceUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
