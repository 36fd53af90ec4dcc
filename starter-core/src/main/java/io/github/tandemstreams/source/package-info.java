/** Replayable input with offsets: what the engine asks of a source, and what a source tells the engine. */
@NullMarked
package io.github.tandemstreams.source;

import org.jspecify.annotations.NullMarked;
