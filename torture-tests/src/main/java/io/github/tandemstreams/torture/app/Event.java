package io.github.tandemstreams.torture.app;

/**
 * The value of a record.
 *
 * @param id the record's key again
 * @param pause milliseconds that its handler waits
 */
record Event(String id, int pause) {

    String seen() {
        return id + "/" + pause;
    }
}
