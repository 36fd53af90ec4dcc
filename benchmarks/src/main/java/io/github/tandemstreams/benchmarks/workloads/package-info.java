/** What is brought from a topic into a table: the records, the tables, and how they are written with JdbcTemplate. */
@NullMarked
package io.github.tandemstreams.benchmarks.workloads;

import org.jspecify.annotations.NullMarked;
