/**
 * A checkpoint, a transaction manager and a source in memory, which stop at every point of the protocol, and the search for
 * an order of steps and faults that breaks a promise.
 */
@NullMarked
package io.github.tandemstreams.simulation;

import org.jspecify.annotations.NullMarked;
