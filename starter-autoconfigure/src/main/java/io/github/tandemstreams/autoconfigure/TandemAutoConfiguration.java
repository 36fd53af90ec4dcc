package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.DeadLetters;
import io.github.tandemstreams.StartCheck;
import io.github.tandemstreams.StreamCommands;
import io.github.tandemstreams.StreamOperations;
import io.github.tandemstreams.StreamProgressListener;
import io.github.tandemstreams.StreamReports;
import io.github.tandemstreams.engine.BatchTracer;
import io.github.tandemstreams.engine.CommandedStreams;
import io.github.tandemstreams.engine.StreamDeadLetters;
import io.github.tandemstreams.engine.StreamOverview;
import io.github.tandemstreams.engine.StreamRuntime;
import io.github.tandemstreams.engine.StreamStartCheck;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.context.LifecycleProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.kafka.core.ConsumerFactory;
import tools.jackson.databind.json.JsonMapper;

/** Finds the handlers of the application, and runs a stream for each. */
@AutoConfiguration(
        after = {
            DataSourceAutoConfiguration.class,
            DataSourceTransactionManagerAutoConfiguration.class,
            TransactionAutoConfiguration.class,
            KafkaAutoConfiguration.class,
            JacksonAutoConfiguration.class
        },
        afterName = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
        // Health groups may name streams, which are looked up as soon as all singletons exist.
        beforeName = "org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration")
@ConditionalOnClass(StreamRuntime.class)
@ConditionalOnBooleanProperty(name = "tandem.enabled", matchIfMissing = true)
@EnableConfigurationProperties(TandemProperties.class)
public final class TandemAutoConfiguration {

    @Bean
    static TriggerConverter tandemTriggerConverter() {
        return new TriggerConverter();
    }

    @Bean
    static StartingOffsetsConverter tandemStartingOffsetsConverter() {
        return new StartingOffsetsConverter();
    }

    @Bean
    @ConditionalOnMissingBean(StreamOperations.class)
    TandemStreams tandemStreams(
            ConfigurableListableBeanFactory beans,
            TandemProperties properties,
            Environment environment,
            ObjectProvider<ConsumerFactory<?, ?>> consumerFactories,
            ObjectProvider<KafkaProperties> kafkaProperties,
            ObjectProvider<KafkaConnectionDetails> connectionDetails,
            ObjectProvider<JsonMapper> mapper,
            ObjectProvider<StreamProgressListener> listeners,
            ObjectProvider<BatchTracer> tracer,
            ObjectProvider<LifecycleProperties> lifecycle) {
        UnknownSettings.refuse(environment);
        GroupIds groupIds = new GroupIds(environment.getProperty("spring.application.name"));
        ConsumerProperties consumers = new ConsumerProperties(consumerFactories, kafkaProperties, connectionDetails);
        return new TandemStreams(
                new HandlerDiscovery(beans),
                properties,
                groupIds,
                () -> new StreamAssembly(
                        beans,
                        properties,
                        consumers,
                        new ValueReaders(mapper),
                        groupIds,
                        listeners.orderedStream().toList(),
                        tracer.getIfAvailable(() -> BatchTracer.NONE)),
                stopTimeout(lifecycle));
    }

    @Bean
    @ConditionalOnBean(TandemStreams.class)
    @ConditionalOnMissingBean(DeadLetters.class)
    StreamDeadLetters tandemDeadLetters(TandemStreams streams) {
        return new StreamDeadLetters(streams::runtimes);
    }

    @Bean
    @ConditionalOnBean(TandemStreams.class)
    @ConditionalOnMissingBean(StreamReports.class)
    StreamOverview tandemStreamReports(TandemStreams streams) {
        return new StreamOverview(streams::runtimes);
    }

    @Bean
    @ConditionalOnBean(TandemStreams.class)
    @ConditionalOnMissingBean(StartCheck.class)
    StreamStartCheck tandemStartCheck(TandemStreams streams) {
        return new StreamStartCheck(streams::runtimes);
    }

    @Bean
    @ConditionalOnBean(TandemStreams.class)
    @ConditionalOnMissingBean(StreamCommands.class)
    CommandedStreams tandemCommands(TandemStreams streams) {
        return new CommandedStreams(streams::runtimes);
    }

    @Bean
    @ConditionalOnBean(TandemStreams.class)
    @ConditionalOnMissingBean
    TandemLifecycle tandemLifecycle(
            TandemStreams streams, TandemProperties properties, ObjectProvider<LifecycleProperties> lifecycle) {
        return new TandemLifecycle(streams, new CheckpointSchemas(properties.schema()), stopTimeout(lifecycle));
    }

    private static Duration stopTimeout(ObjectProvider<LifecycleProperties> lifecycle) {
        return TandemLifecycle.stopTimeout(
                lifecycle.getIfAvailable(LifecycleProperties::new).getTimeoutPerShutdownPhase());
    }
}
