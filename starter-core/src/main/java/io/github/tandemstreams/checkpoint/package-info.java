/** The stored truth of a stream: claim, plan, commit and compare. What the engine asks of the database. */
@NullMarked
package io.github.tandemstreams.checkpoint;

import org.jspecify.annotations.NullMarked;
