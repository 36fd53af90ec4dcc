package io.github.tandemstreams.dashboard;

/** A request that isn't answered as it stands. */
class RefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * @param status HTTP status
     * @param message why, for who asked
     */
    RefusedException(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
