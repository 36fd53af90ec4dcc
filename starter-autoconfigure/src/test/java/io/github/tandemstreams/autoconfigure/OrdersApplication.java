package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.StreamRecord;
import java.nio.charset.StandardCharsets;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;

/** An application with one stream, {@code orders}, that lets everybody in and knows who logs in. */
@EnableAutoConfiguration
@Import({
    OrdersApplication.Orders.class,
    OrdersApplication.ServletSecurity.class,
    OrdersApplication.ReactiveSecurity.class
})
class OrdersApplication {

    static final String SCRIPT = "<script>alert('%s')</script>";

    /** Notes each value; can't do those that begin with "bad". */
    static class Orders {
        private final JdbcTemplate jdbc;

        Orders(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @ForeachBatch("orders")
        void handle(Batch<StreamRecord<byte[]>> batch) {
            for (StreamRecord<byte[]> record : batch.values()) {
                String value = new String(record.value(), StandardCharsets.UTF_8);
                if (value.startsWith("bad") && jdbc.queryForObject("select not mended from handler", Boolean.class)) {
                    throw new IllegalArgumentException("can't do " + SCRIPT.formatted("cause"));
                }
                jdbc.update("insert into seen values (?, ?, ?)", record.partition(), record.offset(), batch.id());
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class ServletSecurity {

        @Bean
        SecurityFilterChain everybody(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .csrf(AbstractHttpConfigurer::disable)
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class ReactiveSecurity {

        @Bean
        SecurityWebFilterChain everybody(ServerHttpSecurity http) {
            return http.authorizeExchange(exchanges -> exchanges.anyExchange().permitAll())
                    .csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }
    }
}
