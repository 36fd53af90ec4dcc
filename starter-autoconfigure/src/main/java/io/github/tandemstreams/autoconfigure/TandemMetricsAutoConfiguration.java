package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.StreamOperations;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Meters of the streams, named {@code tandem.*}. */
@AutoConfiguration(
        after = TandemAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({MeterRegistry.class, StreamOperations.class})
public final class TandemMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    StreamMetrics tandemStreamMetrics(MeterRegistry registry, ObjectProvider<StreamOperations> streams) {
        return new StreamMetrics(registry, streams);
    }
}
