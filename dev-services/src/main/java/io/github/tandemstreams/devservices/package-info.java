/** Starts Postgres and Kafka for an application in development that has configured neither. */
@NullMarked
package io.github.tandemstreams.devservices;

import org.jspecify.annotations.NullMarked;
