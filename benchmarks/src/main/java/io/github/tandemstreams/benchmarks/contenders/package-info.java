/** The programs that are measured, how each is started, and what it is told. */
@NullMarked
package io.github.tandemstreams.benchmarks.contenders;

import org.jspecify.annotations.NullMarked;
