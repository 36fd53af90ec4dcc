/** The actuator's endpoint {@code tandem}: what Postgres knows of the streams, and the operators' commands. */
@NullMarked
package io.github.tandemstreams.autoconfigure.endpoint;

import org.jspecify.annotations.NullMarked;
