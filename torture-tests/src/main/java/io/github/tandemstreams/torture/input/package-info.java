/** What is produced, and what the producers know about it. */
@NullMarked
package io.github.tandemstreams.torture.input;

import org.jspecify.annotations.NullMarked;
