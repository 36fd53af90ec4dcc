/** What bad records cost. */
@NullMarked
package io.github.tandemstreams.benchmarks.poison;

import org.jspecify.annotations.NullMarked;
