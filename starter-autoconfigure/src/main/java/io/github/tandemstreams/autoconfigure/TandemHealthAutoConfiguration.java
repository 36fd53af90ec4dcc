package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.StreamOperations;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/** Health of the streams, as {@code tandem}. */
@AutoConfiguration(after = TandemAutoConfiguration.class)
@ConditionalOnClass({HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(StreamOperations.class)
@ConditionalOnEnabledHealthIndicator("tandem")
public final class TandemHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "tandemHealthContributor")
    HealthContributor tandemHealthContributor(StreamOperations streams, TandemProperties properties) {
        return new StreamsHealth(streams, properties.health().stalledAfter());
    }
}
