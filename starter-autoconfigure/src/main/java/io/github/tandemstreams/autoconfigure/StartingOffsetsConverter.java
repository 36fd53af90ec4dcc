package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.StartingOffsets;
import org.springframework.boot.context.properties.ConfigurationPropertiesBinding;
import org.springframework.core.convert.converter.Converter;

/** Reads what {@link StartingOffsets#parse} does. */
@ConfigurationPropertiesBinding
final class StartingOffsetsConverter implements Converter<String, StartingOffsets> {

    @Override
    public StartingOffsets convert(String text) {
        try {
            return StartingOffsets.parse(text);
        } catch (IllegalArgumentException invalid) {
            // Without a cause: Spring Boot would print that, which knows of dates only.
            throw new IllegalArgumentException(invalid.getMessage());
        }
    }
}
