package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.Trigger;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationPropertiesBinding;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.convert.converter.Converter;

/** Reads {@code as-soon-as-possible} or an interval such as {@code 10s}. */
@ConfigurationPropertiesBinding
final class TriggerConverter implements Converter<String, Trigger> {

    @Override
    public Trigger convert(String text) {
        if (text.trim().replace("-", "").replace("_", "").equalsIgnoreCase("asSoonAsPossible")) {
            return Trigger.asSoonAsPossible();
        }
        return Trigger.processingTime(interval(text));
    }

    private static Duration interval(String text) {
        try {
            return DurationStyle.detectAndParse(text.trim());
        } catch (IllegalArgumentException noDuration) {
            // Without its cause: Spring Boot would print that, which knows of durations only.
            throw new IllegalArgumentException(
                    "'" + text + "' is no trigger: use as-soon-as-possible, or an interval such as 10s");
        }
    }
}
