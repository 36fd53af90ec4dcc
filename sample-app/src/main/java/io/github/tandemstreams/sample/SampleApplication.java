package io.github.tandemstreams.sample;

import java.util.HashMap;
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
        ApplicationListener<ApplicationEnvironmentPreparedEvent> adaptation = event -> adapt(event.getEnvironment());
        application.addListeners(adaptation);
        application.run(args);
    }

    /** A publisher alone needs no database; and neither that nor a job that ends has a page. */
    private static void adapt(ConfigurableEnvironment environment) {
        boolean consumes = environment.getProperty("sample.consume", Boolean.class, true);
        Map<String, Object> adapted = new HashMap<>();
        if (!consumes) {
            adapted.put("tandem.enabled", "false");
            adapted.put(
                    "spring.autoconfigure.exclude",
                    "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
        }
        if (!consumes || environment.getProperty("sample.exit-when-caught-up", Boolean.class, false)) {
            adapted.put("spring.main.web-application-type", "none");
        }
        environment.getPropertySources().addFirst(new MapPropertySource("what-it-does", adapted));
    }
}
