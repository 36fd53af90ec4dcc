/** What the engine and the bulk writer do for each record and each batch, without Kafka and Postgres. */
@NullMarked
package io.github.tandemstreams.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
