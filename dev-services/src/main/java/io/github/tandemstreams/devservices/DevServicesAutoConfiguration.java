package io.github.tandemstreams.devservices;

import org.springframework.boot.autoconfigure.AutoConfiguration;

/** Starts Postgres and Kafka where the application has configured neither. */
@AutoConfiguration
public final class DevServicesAutoConfiguration {}
