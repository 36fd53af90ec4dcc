/** What is done to the processes and connections, when and to whom. */
@NullMarked
package io.github.tandemstreams.torture.faults;

import org.jspecify.annotations.NullMarked;
