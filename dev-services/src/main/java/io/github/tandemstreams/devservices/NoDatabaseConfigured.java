package io.github.tandemstreams.devservices;

import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** No property names a database. */
class NoDatabaseConfigured extends SpringBootCondition {

    private static final List<String> PROPERTIES = List.of(
            "spring.datasource.url",
            "spring.datasource.jndi-name",
            "spring.datasource.hikari.jdbc-url",
            "spring.datasource.hikari.data-source-class-name",
            "spring.datasource.embedded-database-connection");

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("No database configured");
        return PROPERTIES.stream()
                .filter(context.getEnvironment()::containsProperty)
                .findFirst()
                .map(property ->
                        ConditionOutcome.noMatch(message.found("property").items(property)))
                .orElseGet(() -> ConditionOutcome.match(message.because("no property names one")));
    }
}
