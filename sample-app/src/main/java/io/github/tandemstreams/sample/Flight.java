package io.github.tandemstreams.sample;

/**
 * A flight as it stands in the topic.
 *
 * @param date day and time of departure, such as {@code 2001/01/01 00:47}
 * @param delay minutes of delay; negative if it was early
 * @param distance miles
 * @param origin airport code
 * @param destination airport code
 */
record Flight(String date, int delay, int distance, String origin, String destination) {}
