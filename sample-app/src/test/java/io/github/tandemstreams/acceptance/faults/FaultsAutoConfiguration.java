package io.github.tandemstreams.acceptance.faults;

import java.nio.file.Path;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Puts faults into an application that runs with {@code --crash.point=…}. */
@AutoConfiguration
@ConditionalOnProperty("crash.point")
public final class FaultsAutoConfiguration {

    @Bean
    static BeanPostProcessor faults(Environment environment) {
        String journal = environment.getProperty("crash.journal");
        Faults faults = new Faults(
                environment.getRequiredProperty("crash.point", CrashPoint.class),
                environment.getProperty("crash.pass", Integer.class, 1),
                environment.getProperty("crash.pause", Duration.class, Duration.ZERO),
                journal == null ? null : Path.of(journal),
                environment.getProperty("crash.killer"));
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof DataSource dataSource ? new ObservedDataSource(dataSource, faults) : bean;
            }
        };
    }
}
