package io.github.tandemstreams.devservices;

import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.kafka.core.KafkaTemplate;

/**
 * An embedded Postgres where no database is configured, and an embedded Kafka broker where no broker is. Only for
 * development and tests.
 */
@AutoConfiguration(
        before = {DataSourceAutoConfiguration.class, KafkaAutoConfiguration.class},
        afterName = "org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration")
@ConditionalOnBooleanProperty(name = "tandem.dev-services.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DevServicesProperties.class)
public final class DevServicesAutoConfiguration {

    /** Refuses before anything is started. */
    private static void refuseOnKubernetes(Environment environment) {
        if (CloudPlatform.KUBERNETES.isActive(environment)) {
            throw new DevServicesInProductionException();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DataSource.class)
    @ConditionalOnMissingBean({JdbcConnectionDetails.class, DataSource.class})
    @Conditional(NoDatabaseConfigured.class)
    static class Postgres {

        @Bean(destroyMethod = "close")
        @ConditionalOnMissingBean
        DevPostgres tandemDevPostgres(DevServicesProperties properties, Environment environment) {
            refuseOnKubernetes(environment);
            return DevPostgres.start(properties.dataDir());
        }

        @Bean
        JdbcConnectionDetails tandemDevPostgresConnectionDetails(DevPostgres postgres) {
            return new JdbcConnectionDetails() {
                @Override
                public String getUsername() {
                    return DevPostgres.USER;
                }

                @Override
                public String getPassword() {
                    return DevPostgres.USER;
                }

                @Override
                public String getJdbcUrl() {
                    return postgres.jdbcUrl();
                }
            };
        }

        /** Started with the context, not with the first use, so that a refusal comes early. */
        @Bean
        InitializingBean tandemDevPostgresAnnouncement(DevPostgres postgres) {
            return postgres::announce;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(KafkaTemplate.class)
    @ConditionalOnMissingBean(KafkaConnectionDetails.class)
    @Conditional(NoBrokerConfigured.class)
    static class Kafka {

        @Bean(destroyMethod = "close")
        @ConditionalOnMissingBean
        DevKafka tandemDevKafka(DevServicesProperties properties, Environment environment) {
            refuseOnKubernetes(environment);
            return DevKafka.start(properties.dataDir());
        }

        @Bean
        KafkaConnectionDetails tandemDevKafkaConnectionDetails(DevKafka kafka) {
            return () -> List.of(kafka.bootstrapServers());
        }

        @Bean
        InitializingBean tandemDevKafkaAnnouncement(DevKafka kafka) {
            return kafka::announce;
        }
    }
}
