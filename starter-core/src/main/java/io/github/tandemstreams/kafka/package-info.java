/** Kafka as a source, polled by spring-kafka's listener container. */
@NullMarked
package io.github.tandemstreams.kafka;

import org.jspecify.annotations.NullMarked;
