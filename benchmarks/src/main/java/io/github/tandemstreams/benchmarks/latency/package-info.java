/** How long a record takes from when it was due to its commit. */
@NullMarked
package io.github.tandemstreams.benchmarks.latency;

import org.jspecify.annotations.NullMarked;
