/** The torture: application processes, a broker and a Postgres under random faults, and the verdict about what they did. */
@NullMarked
package io.github.tandemstreams.torture;

import org.jspecify.annotations.NullMarked;
