/** What a batch is written to. */
@NullMarked
package io.github.tandemstreams.sink;

import org.jspecify.annotations.NullMarked;
