/** The checkpoint in Postgres. */
@NullMarked
package io.github.tandemstreams.jdbc;

import org.jspecify.annotations.NullMarked;
