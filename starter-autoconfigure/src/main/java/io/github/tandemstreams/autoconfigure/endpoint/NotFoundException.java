package io.github.tandemstreams.autoconfigure.endpoint;

/** What a request names isn't there. */
class NotFoundException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NotFoundException(String message) {
        super(message);
    }
}
