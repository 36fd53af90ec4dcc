package io.github.tandemstreams.autoconfigure;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.SslConfigs;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.kafka.autoconfigure.SslBundleSslEngineFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.util.StringUtils;

/**
 * How the application reaches Kafka: as its {@link ConsumerFactory} does, whether Spring Boot configured that or the
 * application defines its own. If there is none, or no single one, as {@code spring.kafka} and the connection details say.
 */
final class ConsumerProperties {

    private final ObjectProvider<ConsumerFactory<?, ?>> factories;
    private final ObjectProvider<KafkaProperties> properties;
    private final ObjectProvider<KafkaConnectionDetails> connectionDetails;

    ConsumerProperties(
            ObjectProvider<ConsumerFactory<?, ?>> factories,
            ObjectProvider<KafkaProperties> properties,
            ObjectProvider<KafkaConnectionDetails> connectionDetails) {
        this.factories = factories;
        this.properties = properties;
        this.connectionDetails = connectionDetails;
    }

    /** These properties with more of them put over. */
    Map<String, Object> with(Map<String, String> more) {
        Map<String, Object> all = new HashMap<>(base());
        all.putAll(more);
        return all;
    }

    private Map<String, Object> base() {
        ConsumerFactory<?, ?> factory = factories.getIfUnique();
        if (factory != null) {
            return factory.getConfigurationProperties();
        }
        Map<String, Object> base =
                properties.getIfAvailable(KafkaProperties::new).buildConsumerProperties();
        connectionDetails.ifAvailable(details -> apply(details.getConsumer(), base));
        return base;
    }

    /** As Spring Boot does for its own consumer factory. */
    private static void apply(KafkaConnectionDetails.Configuration details, Map<String, Object> properties) {
        properties.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, details.getBootstrapServers());
        @Nullable SslBundle bundle = details.getSslBundle();
        if (bundle != null) {
            properties.put(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG, SslBundleSslEngineFactory.class);
            properties.put(SslBundle.class.getName(), bundle);
        }
        if (StringUtils.hasLength(details.getSecurityProtocol())) {
            properties.put(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, details.getSecurityProtocol());
        }
    }
}
