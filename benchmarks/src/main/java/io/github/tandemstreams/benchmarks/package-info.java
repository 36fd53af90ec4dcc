/** Runs the benchmarks: one class for each, beside the contenders, onlookers, workloads and servers that they share. */
@NullMarked
package io.github.tandemstreams.benchmarks;

import org.jspecify.annotations.NullMarked;
