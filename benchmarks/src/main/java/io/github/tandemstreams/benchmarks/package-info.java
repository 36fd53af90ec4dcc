/** Measures. Nothing here is a test: machines are shared, only ratios from one run mean anything. */
@NullMarked
package io.github.tandemstreams.benchmarks;

import org.jspecify.annotations.NullMarked;
