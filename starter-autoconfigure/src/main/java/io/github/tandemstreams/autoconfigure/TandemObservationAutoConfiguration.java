package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.engine.BatchTracer;
import io.github.tandemstreams.engine.StreamRuntime;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** Observations of batches, and, where there is a tracer, their spans. */
@AutoConfiguration(
        before = TandemAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration"
        })
@ConditionalOnClass({StreamRuntime.class, ObservationRegistry.class})
@ConditionalOnBean(ObservationRegistry.class)
public final class TandemObservationAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("io.micrometer.tracing.Tracer")
    static class WithoutTracing {

        @Bean
        @ConditionalOnMissingBean(BatchTracer.class)
        BatchObservations tandemBatchObservations(ObservationRegistry registry) {
            return new BatchObservations(registry, context -> null);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Tracer.class, TracingObservationHandler.class})
    static class WithTracing {

        @Bean
        @ConditionalOnMissingBean(BatchTracer.class)
        BatchObservations tandemBatchObservations(ObservationRegistry registry) {
            return new BatchObservations(registry, ProducerLinks::traceId);
        }

        @Bean
        @Order(ProducerLinks.ORDER)
        @ConditionalOnBean(Tracer.class)
        @ConditionalOnMissingBean
        ProducerLinks tandemProducerLinks(Tracer tracer) {
            return new ProducerLinks(tracer);
        }
    }
}
