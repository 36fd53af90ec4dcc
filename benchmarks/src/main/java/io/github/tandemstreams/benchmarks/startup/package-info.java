/** How soon a contender is at work. */
@NullMarked
package io.github.tandemstreams.benchmarks.startup;

import org.jspecify.annotations.NullMarked;
