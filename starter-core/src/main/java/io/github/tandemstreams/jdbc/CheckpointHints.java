package io.github.tandemstreams.jdbc;

import io.github.tandemstreams.checkpoint.Search;
import io.github.tandemstreams.checkpoint.Verdict;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Tells a native image of the scripts, and of what {@link Json} reads and writes by reflection. */
final class CheckpointHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        Scripts.NAMES.forEach(name -> hints.resources().registerPattern(Scripts.FOLDER + name));
        new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), Search.class, Verdict.class);
    }
}
