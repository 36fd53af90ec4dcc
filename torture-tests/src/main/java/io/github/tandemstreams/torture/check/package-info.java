/** The invariants, told from what was produced and from what SQL shows. */
@NullMarked
package io.github.tandemstreams.torture.check;

import org.jspecify.annotations.NullMarked;
