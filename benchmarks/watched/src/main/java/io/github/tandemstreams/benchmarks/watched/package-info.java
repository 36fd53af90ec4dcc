/** What it costs to be looked at. */
@NullMarked
package io.github.tandemstreams.benchmarks.watched;

import org.jspecify.annotations.NullMarked;
