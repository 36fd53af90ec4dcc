package io.github.tandemstreams.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfTokenRequestAttributeHandler;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Applications that use Spring Security: who isn't signed in sees nothing. Anna is an operator, Bob isn't. */
final class SecuredApp {

    private static final UserDetails ANNA = user("anna", "OPERATOR");
    private static final UserDetails BOB = user("bob", "READER");

    /** Property that says how a servlet application takes the token: "default", "plain" or "spa". */
    static final String TOKEN_HANDLER = "test.token-handler";

    private SecuredApp() {}

    private static UserDetails user(String name, String role) {
        return User.withUsername(name).password("{noop}" + name).roles(role).build();
    }

    /** The token against cross-site requests, as any page of the application has it. */
    @RestController
    static class ServletToken {

        @GetMapping("/token")
        String token(HttpServletRequest request) {
            return ((org.springframework.security.web.csrf.CsrfToken) request.getAttribute("_csrf")).getToken();
        }
    }

    /** The same. */
    @RestController
    static class WebFluxToken {

        @GetMapping("/token")
        Mono<String> token(ServerWebExchange exchange) {
            Mono<CsrfToken> token = exchange.getRequiredAttribute(CsrfToken.class.getName());
            return token.map(CsrfToken::getToken);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(ServletToken.class)
    static class OfServlets {

        @Bean
        Orders orders(JdbcClient jdbc) {
            return new Orders(jdbc);
        }

        @Bean
        SecurityFilterChain rules(HttpSecurity http, @Value("${" + TOKEN_HANDLER + ":default}") String tokenHandler)
                throws Exception {
            return http.authorizeHttpRequests(all -> all.anyRequest().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(csrf -> takeToken(csrf, tokenHandler))
                    .build();
        }

        private static void takeToken(CsrfConfigurer<HttpSecurity> csrf, String handler) {
            switch (handler) {
                case "plain" -> csrf.csrfTokenRequestHandler(new CsrfTokenRequestAttributeHandler());
                case "spa" -> csrf.spa();
                default -> {}
            }
        }

        @Bean
        InMemoryUserDetailsManager users() {
            return new InMemoryUserDetailsManager(ANNA, BOB);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(WebFluxToken.class)
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
