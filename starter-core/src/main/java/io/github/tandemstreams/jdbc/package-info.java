/** The checkpoint in Postgres: its statements, what errors of the database mean, and the migration of its tables. */
@NullMarked
package io.github.tandemstreams.jdbc;

import org.jspecify.annotations.NullMarked;
