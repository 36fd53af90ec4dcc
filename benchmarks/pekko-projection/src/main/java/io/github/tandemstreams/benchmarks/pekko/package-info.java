/** Pekko Projection: offsets in the transaction of a group of envelopes. */
package io.github.tandemstreams.benchmarks.pekko;
