/** A loop that is written by hand: consumer, COPY, offsets in the same transaction. */
@NullMarked
package io.github.tandemstreams.benchmarks.contenders.copyloop;

import org.jspecify.annotations.NullMarked;
