/** What many lanes cost that have little to do each. */
@NullMarked
package io.github.tandemstreams.benchmarks.lanes;

import org.jspecify.annotations.NullMarked;
