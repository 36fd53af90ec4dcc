/** An example: delays per airport from a topic of flights. */
@NullMarked
package io.github.tandemstreams.sample;

import org.jspecify.annotations.NullMarked;
