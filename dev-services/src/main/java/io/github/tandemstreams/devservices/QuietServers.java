package io.github.tandemstreams.devservices;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Embedded servers say hundreds of lines about themselves, in the application's log. These are defaults of the lowest
 * precedence: any {@code logging.level} of the application's own goes over them. What is below
 * {@code org.apache.kafka.common} speaks for the application's clients as well; their warnings still show.
 */
final class QuietServers implements EnvironmentPostProcessor {

    private static final List<String> SERVERS = List.of(
            "io.zonky.test.db.postgres.embedded",
            "kafka",
            "state.change.logger",
            "org.apache.kafka.common.config",
            "org.apache.kafka.common.metrics",
            "org.apache.kafka.common.network",
            "org.apache.kafka.common.telemetry",
            "org.apache.kafka.common.utils",
            "org.apache.kafka.coordinator",
            "org.apache.kafka.image",
            "org.apache.kafka.metadata",
            "org.apache.kafka.network",
            "org.apache.kafka.queue",
            "org.apache.kafka.raft",
            "org.apache.kafka.security",
            "org.apache.kafka.server",
            "org.apache.kafka.snapshot",
            "org.apache.kafka.storage",
            "org.apache.kafka.timeline");

    /** It warns of an empty directory on each first start. */
    private static final String CONTROLLER = "org.apache.kafka.controller";

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        Map<String, Object> levels = Stream.concat(SERVERS.stream(), Stream.of(CONTROLLER))
                .collect(Collectors.toMap(
                        name -> "logging.level." + name, name -> name.equals(CONTROLLER) ? "ERROR" : "WARN"));
        environment.getPropertySources().addLast(new MapPropertySource("tandemDevServicesLogging", levels));
    }
}
