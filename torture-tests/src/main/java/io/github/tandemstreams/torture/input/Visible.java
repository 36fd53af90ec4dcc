package io.github.tandemstreams.torture.input;

/** A record that a reader of committed records sees in the topic. */
public record Visible(int partition, long offset, Message message) {}
