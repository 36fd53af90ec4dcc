/** The application that is tortured: a process of its own, which knows nothing of the faults. */
@NullMarked
package io.github.tandemstreams.torture.app;

import org.jspecify.annotations.NullMarked;
