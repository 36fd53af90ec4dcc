/** Medians and ratios: as a table, as JSON and as a chart. */
@NullMarked
package io.github.tandemstreams.benchmarks.report;

import org.jspecify.annotations.NullMarked;
