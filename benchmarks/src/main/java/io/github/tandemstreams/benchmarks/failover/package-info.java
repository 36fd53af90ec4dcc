/** How long partitions stand still when one of two instances ends. */
@NullMarked
package io.github.tandemstreams.benchmarks.failover;

import org.jspecify.annotations.NullMarked;
