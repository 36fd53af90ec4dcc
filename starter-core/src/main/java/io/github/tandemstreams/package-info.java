/** What applications import: the handler annotation, batches and records, triggers, progress and status. */
@NullMarked
package io.github.tandemstreams;

import org.jspecify.annotations.NullMarked;
