package io.github.tandemstreams.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;

/** Starts the application's streams. */
@AutoConfiguration
public final class TandemAutoConfiguration {}
