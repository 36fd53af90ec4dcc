package io.github.tandemstreams.devservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Who has configured a database or a broker, in whichever way, is left alone. Nothing is started here. */
class BackingOffTest {

    private static final String BROKER = "spring.kafka.bootstrap-servers=localhost:1";
    private static final String DATABASE = "spring.datasource.url=jdbc:postgresql://localhost:1/none";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DevServicesAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    KafkaAutoConfiguration.class));

    /** Without Boot's own DataSource, which needs a driver or a JNDI context for some of these. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.datasource.url=jdbc:postgresql://localhost:1/none",
                "spring.datasource.hikari.jdbc-url=jdbc:postgresql://localhost:1/none",
                "spring.datasource.jndi-name=java:comp/env/jdbc/none"
            })
    void aConfiguredDatabaseIsUsed(String property) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DevServicesAutoConfiguration.class))
                .withPropertyValues(BROKER, property)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DevPostgres.class));
    }

    @Test
    void aDataSourceBeanIsUsed() {
        runner.withPropertyValues(BROKER)
                .withBean(DataSource.class, () -> mock(DataSource.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DevPostgres.class));
    }

    @Test
    void connectionDetailsOfADatabaseAreUsed() {
        runner.withPropertyValues(BROKER)
                .withBean("theirs", JdbcConnectionDetails.class, () -> mock(JdbcConnectionDetails.class))
                .run(context -> assertThat(context)
                        .doesNotHaveBean(DevPostgres.class)
                        .getBeanNames(JdbcConnectionDetails.class)
                        .containsExactly("theirs"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"spring.kafka.bootstrap-servers=localhost:1", "spring.kafka.bootstrap-servers[0]=localhost:1"})
    void aConfiguredBrokerIsUsed(String property) {
        runner.withPropertyValues(DATABASE, property)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DevKafka.class));
    }

    @Test
    void connectionDetailsOfABrokerAreUsed() {
        KafkaConnectionDetails theirs = () -> List.of("localhost:1");
        runner.withPropertyValues(DATABASE)
                .withBean("theirs", KafkaConnectionDetails.class, () -> theirs)
                .run(context -> assertThat(context)
                        .doesNotHaveBean(DevKafka.class)
                        .getBeanNames(KafkaConnectionDetails.class)
                        .containsExactly("theirs"));
    }

    @Test
    void aSwitchTurnsBothOff() {
        // Kafka's clients have a default address; a DataSource has none, so its auto-configuration has to fail by
        // itself.
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DevServicesAutoConfiguration.class))
                .withPropertyValues("tandem.dev-services.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(DevPostgres.class)
                        .doesNotHaveBean(DevKafka.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {BROKER, DATABASE, "none=configured"})
    void onKubernetesNothingStarts(String property) {
        runner.withPropertyValues("spring.main.cloud-platform=kubernetes", property)
                .run(context -> {
                    Throwable failure = context.getStartupFailure();
                    assertThat(failure).hasRootCauseInstanceOf(DevServicesInProductionException.class);
                    FailureAnalysis analysis = new DevServicesFailureAnalyzer().analyze(failure);
                    assertThat(analysis).isNotNull();
                    assertThat(analysis.getDescription())
                            .contains("tandem-spring-boot-dev-services is on the class path")
                            .contains("Kubernetes");
                    assertThat(analysis.getAction())
                            .contains("spring.datasource.url")
                            .contains("spring.kafka.bootstrap-servers");
                });
    }

    @Test
    void onKubernetesWithBothConfiguredItKeepsQuiet() {
        runner.withPropertyValues("spring.main.cloud-platform=kubernetes", BROKER, DATABASE)
                .run(context -> assertThat(context).hasNotFailed());
    }
}
