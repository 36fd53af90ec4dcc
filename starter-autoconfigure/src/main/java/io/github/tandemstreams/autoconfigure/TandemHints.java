package io.github.tandemstreams.autoconfigure;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Tells a native image what {@link DataSources} looks up by name, and {@link UnknownSettings} by reflection. */
final class TandemHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        ReflectionHints reflection = hints.reflection();
        reflection.registerType(StreamProperties.class);
        reflection.registerTypeIfPresent(classLoader, DataSources.HIKARI_CLASS);
        for (String manager : DataSources.MANAGERS_OF_ORM) {
            reflection.registerTypeIfPresent(
                    classLoader,
                    manager,
                    type -> type.withMethod(DataSources.GETTER, List.of(), ExecutableMode.INVOKE));
        }
    }
}
