/** How many records a second each contender brings into Postgres. */
@NullMarked
package io.github.tandemstreams.benchmarks.throughput;

import org.jspecify.annotations.NullMarked;
