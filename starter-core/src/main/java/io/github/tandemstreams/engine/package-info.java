/** Runs streams: lanes, workers, and the way of a batch from the plan to the commit. */
@NullMarked
package io.github.tandemstreams.engine;

import org.jspecify.annotations.NullMarked;
