package io.github.tandemstreams.checkpoint;

import io.github.tandemstreams.OffsetRange;

/**
 * A row of the offset log: the range that a batch id has, for ever.
 *
 * @param batch the batch id
 * @param generation generation of the lane when the plan was made; part of the batch's transaction id
 * @param range the offsets that it covers
 */
public record Plan(long batch, int generation, OffsetRange range) {}
