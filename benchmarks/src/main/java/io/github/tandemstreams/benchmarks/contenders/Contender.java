package io.github.tandemstreams.benchmarks.contenders;

import io.github.tandemstreams.benchmarks.onlookers.Onlooker;
import java.util.List;
import java.util.stream.Stream;

/**
 * A program that is measured, and how its JVM is started.
 *
 * @param name of it with this configuration
 * @param classpath where it is
 * @param options of the JVM, beside those that all have
 * @param mainClass what runs
 * @param arguments of it
 * @param onlookers who must be looking at it while it is at work
 */
public record Contender(
        String name,
        String classpath,
        List<String> options,
        String mainClass,
        List<String> arguments,
        List<Onlooker> onlookers) {

    /** The same with more options of the JVM, which come last and so win. */
    public Contender with(String... more) {
        return new Contender(
                name,
                classpath,
                Stream.concat(options.stream(), Stream.of(more)).toList(),
                mainClass,
                arguments,
                onlookers);
    }

    /** The same under another name. */
    public Contender named(String other) {
        return new Contender(other, classpath, options, mainClass, arguments, onlookers);
    }

    /** The same, watched by these. */
    Contender watchedBy(List<Onlooker> watching) {
        return new Contender(name, classpath, options, mainClass, arguments, watching);
    }
}
