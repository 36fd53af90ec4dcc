package io.github.tandemstreams.acceptance;

/** One line of the input. */
record Flight(String date, int delay, int distance, String origin, String destination) {

    String json() {
        return "{\"date\":\"%s\",\"delay\":%d,\"distance\":%d,\"origin\":\"%s\",\"destination\":\"%s\"}"
                .formatted(date, delay, distance, origin, destination);
    }
}
