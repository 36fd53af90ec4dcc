package io.github.tandemstreams.sample;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/** Flights from Kafka, delays per airport in Postgres. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class SampleApplication {

    /** Starts the sample; {@code --sample.*} arguments say what it does. */
    public static void main(String[] args) {
        SpringApplication application = new SpringApplication(SampleApplication.class);
        ApplicationListener<ApplicationEnvironmentPreparedEvent> publisherOnly =
                event -> withoutDatabase(event.getEnvironment());
        application.addListeners(publisherOnly);
        application.run(args);
    }

    /** A publisher alone needs no database. */
    private static void withoutDatabase(ConfigurableEnvironment environment) {
        if (!environment.getProperty("sample.consume", Boolean.class, true)) {
            environment
                    .getPropertySources()
                    .addFirst(new MapPropertySource(
                            "publisher-only",
                            Map.of(
                                    "tandem.enabled",
                                    "false",
                                    "spring.autoconfigure.exclude",
                                    "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")));
        }
    }
}
