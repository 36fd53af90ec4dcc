package io.github.tandemstreams.benchmarks.contenders;

import io.github.tandemstreams.benchmarks.onlookers.WebServer;
import java.util.Optional;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;

/** How the Spring Boot applications among the contenders run: with the configuration file of their name, until all is done. */
public final class SpringContender {

    /** Set by Spring Boot, if there is a web server. */
    private static final String PORT = "local.server.port";

    private SpringContender() {}

    /** Runs it, with the workload as profile, so that only that workload's handler is there. */
    public static void run(Class<?> application, String name) throws InterruptedException {
        System.setProperty("spring.config.name", name);
        System.setProperty(
                "spring.profiles.active", Task.ofThisProcess().workload().label());
        ConfigurableApplicationContext context = SpringApplication.run(application);
        say(context.getEnvironment(), name);
        Optional<Integer> port = Optional.ofNullable(context.getEnvironment().getProperty(PORT, Integer.class));
        port.ifPresent(WebServer::open);
        context.getBean(Finish.class).await();
        port.ifPresent(unused -> WebServer.close());
        System.exit(SpringApplication.exit(context));
    }

    private static void say(ConfigurableEnvironment environment, String name) {
        for (PropertySource<?> source : environment.getPropertySources()) {
            if (source.getName().contains(name + ".yml") && source instanceof EnumerablePropertySource<?> settings) {
                for (String setting : settings.getPropertyNames()) {
                    Said.configuration(setting, String.valueOf(settings.getProperty(setting)));
                }
            }
        }
    }
}
