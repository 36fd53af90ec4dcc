package io.github.tandemstreams.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Refuses settings of streams that don't exist: a misspelled one would leave its default in force without a word. Variables
 * of the environment are left out, since their names are ambiguous.
 */
final class UnknownSettings {

    private static final ConfigurationPropertyName STREAMS = ConfigurationPropertyName.of("tandem.streams");
    private static final ConfigurationPropertyName DEFAULTS = ConfigurationPropertyName.of("tandem.defaults");

    private static final Set<String> KNOWN = Arrays.stream(StreamProperties.class.getRecordComponents())
            .map(RecordComponent::getName)
            .map(UnknownSettings::dashed)
            .collect(Collectors.toCollection(TreeSet::new));

    private static final Set<String> UNIFORM =
            KNOWN.stream().map(name -> name.replace("-", "")).collect(Collectors.toSet());

    private UnknownSettings() {}

    /** @throws TandemConfigurationException for the first one */
    static void refuse(Environment environment) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource iterable
                    && !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
                iterable.stream().forEach(UnknownSettings::refuse);
            }
        }
    }

    private static void refuse(ConfigurationPropertyName name) {
        int place = STREAMS.isAncestorOf(name) ? 3 : DEFAULTS.isAncestorOf(name) ? 2 : -1;
        if (place >= 0
                && name.getNumberOfElements() > place
                && !UNIFORM.contains(name.getElement(place, Form.UNIFORM))) {
            throw StreamMistakes.unknownSetting(name.toString(), name.getElement(place, Form.ORIGINAL), KNOWN);
        }
    }

    private static String dashed(String camelCase) {
        return camelCase.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
