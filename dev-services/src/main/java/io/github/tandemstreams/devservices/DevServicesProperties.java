package io.github.tandemstreams.devservices;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the development services.
 *
 * @param enabled Whether an embedded Postgres and an embedded Kafka broker are started where none is configured.
 * @param dataDir Directory in which both keep their data between runs. Without it they start empty each time.
 */
@ConfigurationProperties("tandem.dev-services")
record DevServicesProperties(
        @DefaultValue("true") boolean enabled, @Nullable Path dataDir) {}
