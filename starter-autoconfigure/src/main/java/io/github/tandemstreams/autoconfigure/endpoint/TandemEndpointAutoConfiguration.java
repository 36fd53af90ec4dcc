package io.github.tandemstreams.autoconfigure.endpoint;

import io.github.tandemstreams.DeadLetters;
import io.github.tandemstreams.StartCheck;
import io.github.tandemstreams.StreamCommands;
import io.github.tandemstreams.StreamOperations;
import io.github.tandemstreams.StreamReports;
import io.github.tandemstreams.autoconfigure.TandemAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** The endpoint {@code tandem}, where it is exposed and there are streams. */
@AutoConfiguration(after = TandemAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(TandemEndpoint.class)
@ConditionalOnBean({
    StreamOperations.class,
    StreamReports.class,
    StreamCommands.class,
    DeadLetters.class,
    StartCheck.class
})
@EnableConfigurationProperties(TandemEndpointProperties.class)
public final class TandemEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    TandemEndpoint tandemEndpoint(
            StreamOperations streams,
            StreamReports reports,
            DeadLetters deadLetters,
            StreamCommands commands,
            StartCheck starts,
            TandemEndpointProperties properties) {
        return new TandemEndpoint(
                new StreamViews(streams, reports, deadLetters, commands, starts), commands, properties);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(TandemEndpoint.class)
    @ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
    TandemEndpointWebExtension tandemEndpointWebExtension(
            TandemEndpoint endpoint, TandemEndpointProperties properties) {
        return new TandemEndpointWebExtension(endpoint, properties);
    }
}
