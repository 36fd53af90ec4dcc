package io.github.tandemstreams;

import org.jspecify.annotations.Nullable;

/**
 * A header of a record. Names may repeat; a null value and an empty one are different things.
 *
 * @param name the header's name
 * @param value its bytes, or null
 */
public record RecordHeader(String name, byte @Nullable [] value) {}
