/** Bulk writes for handlers: COPY, and upserts with arrays, in the batch's own transaction. */
@NullMarked
package io.github.tandemstreams.postgres;

import org.jspecify.annotations.NullMarked;
