/** Whether many commits slow down those that follow. */
@NullMarked
package io.github.tandemstreams.benchmarks.growth;

import org.jspecify.annotations.NullMarked;
