/** Who looks at a contender while it is at work, from another process than its own: a browser, a metrics server. */
@NullMarked
package io.github.tandemstreams.benchmarks.onlookers;

import org.jspecify.annotations.NullMarked;
