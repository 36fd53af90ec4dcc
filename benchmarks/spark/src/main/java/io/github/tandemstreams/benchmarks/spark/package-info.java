/** Spark Structured Streaming's foreachBatch, in one JVM. */
package io.github.tandemstreams.benchmarks.spark;
