/** A broker and a Postgres, each a process of its own on loopback, with the durability of production. */
@NullMarked
package io.github.tandemstreams.benchmarks.servers;

import org.jspecify.annotations.NullMarked;
