package io.github.tandemstreams.devservices;

import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** No property names a broker. Bound as a list, since a plain look-up misses {@code bootstrap-servers[0]}. */
class NoBrokerConfigured extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("No broker configured");
        List<String> servers = Binder.get(context.getEnvironment())
                .bind("spring.kafka.bootstrap-servers", Bindable.listOf(String.class))
                .orElse(List.of());
        return servers.isEmpty()
                ? ConditionOutcome.match(message.because("no property names one"))
                : ConditionOutcome.noMatch(message.found("broker").items(servers));
    }
}
