package io.github.tandemstreams.benchmarks.workloads;

/** A line of the file of flights. */
public record Flight(String date, int delay, int distance, String origin, String destination) {}
