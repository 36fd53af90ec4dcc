package io.github.tandemstreams.dashboard;

import io.github.tandemstreams.DeadLetters;
import io.github.tandemstreams.StreamCommands;
import io.github.tandemstreams.StreamReports;
import io.github.tandemstreams.autoconfigure.TandemAutoConfiguration;
import java.time.Clock;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Serves the dashboard, in an application that serves anything at all. */
@AutoConfiguration(after = TandemAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnBean({StreamReports.class, StreamCommands.class, DeadLetters.class})
@ConditionalOnBooleanProperty(name = "tandem.dashboard.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DashboardProperties.class)
public final class DashboardAutoConfiguration {

    @Bean(initMethod = "start")
    @ConditionalOnMissingBean
    Sampler tandemDashboardSampler(StreamReports reports) {
        return new Sampler(reports, Clock.systemUTC());
    }

    @Bean
    @ConditionalOnMissingBean
    Dashboard tandemDashboard(
            DashboardProperties properties,
            StreamReports reports,
            StreamCommands commands,
            DeadLetters deadLetters,
            Sampler sampler) {
        return new Dashboard(properties, reports, commands, deadLetters, sampler);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = Type.SERVLET)
    @ConditionalOnClass(org.springframework.web.servlet.function.RouterFunction.class)
    static class Servlet {

        @Bean
        @ConditionalOnMissingBean(name = "tandemDashboardRoutes")
        org.springframework.web.servlet.function.RouterFunction<org.springframework.web.servlet.function.ServerResponse>
                tandemDashboardRoutes(Dashboard dashboard) {
            return new ServletDashboard(dashboard).routes();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = Type.REACTIVE)
    @ConditionalOnClass(org.springframework.web.reactive.function.server.RouterFunction.class)
    static class Reactive {

        @Bean
        @ConditionalOnMissingBean(name = "tandemDashboardRoutes")
        org.springframework.web.reactive.function.server.RouterFunction<
                        org.springframework.web.reactive.function.server.ServerResponse>
                tandemDashboardRoutes(Dashboard dashboard) {
            return new ReactiveDashboard(dashboard).routes();
        }
    }
}
