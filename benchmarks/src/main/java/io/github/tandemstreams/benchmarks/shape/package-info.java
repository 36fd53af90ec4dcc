/** How the throughput follows the size of batches and of records. */
@NullMarked
package io.github.tandemstreams.benchmarks.shape;

import org.jspecify.annotations.NullMarked;
