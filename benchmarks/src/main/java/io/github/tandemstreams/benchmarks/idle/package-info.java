/** What a contender costs that has nothing to do. */
@NullMarked
package io.github.tandemstreams.benchmarks.idle;

import org.jspecify.annotations.NullMarked;
