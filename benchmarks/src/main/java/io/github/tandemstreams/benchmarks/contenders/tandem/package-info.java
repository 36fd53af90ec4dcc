/** The listener's handler code, with Tandem. */
@NullMarked
package io.github.tandemstreams.benchmarks.contenders.tandem;

import org.jspecify.annotations.NullMarked;
