/** Processes and how to deal with them, and the story of a run. */
@NullMarked
package io.github.tandemstreams.torture.process;

import org.jspecify.annotations.NullMarked;
