package io.github.tandemstreams.dashboard;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;

/** Applications that use Spring Security: who isn't signed in sees nothing. Anna is an operator, Bob isn't. */
final class SecuredApp {

    private static final UserDetails ANNA = user("anna", "OPERATOR");
    private static final UserDetails BOB = user("bob", "READER");

    private SecuredApp() {}

    private static UserDetails user(String name, String role) {
        return User.withUsername(name).password("{noop}" + name).roles(role).build();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OfServlets {

        @Bean
        Orders orders(JdbcClient jdbc) {
            return new Orders(jdbc);
        }

        @Bean
        SecurityFilterChain rules(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(all -> all.anyRequest().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @Bean
        InMemoryUserDetailsManager users() {
            return new InMemoryUserDetailsManager(ANNA, BOB);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OfWebFlux {

        @Bean
        Orders orders(JdbcClient jdbc) {
            return new Orders(jdbc);
        }

        @Bean
        SecurityWebFilterChain rules(ServerHttpSecurity http) {
            return http.authorizeExchange(all -> all.anyExchange().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @Bean
        MapReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(ANNA, BOB);
        }
    }
}
