package io.github.tandemstreams.autoconfigure.endpoint;

import java.util.Set;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the endpoint.
 *
 * @param showPayloads When to show what dead letters hold (keys, values, headers, and texts of their causes), and why lanes failed.
 * @param roles Roles of which one is needed to be shown it when authorized. By default, whoever is authenticated.
 */
@ConfigurationProperties("management.endpoint.tandem")
record TandemEndpointProperties(
        @DefaultValue("never") Show showPayloads,
        @DefaultValue Set<String> roles) {}
