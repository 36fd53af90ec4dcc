package io.github.tandemstreams.benchmarks;

/** A line of the input. */
record Flight(String date, int delay, int distance, String origin, String destination) {}
