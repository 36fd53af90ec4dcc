package io.github.tandemstreams.benchmarks.contenders;

import java.util.List;

/**
 * A program that is measured, and how its JVM is started.
 *
 * @param name of it with this configuration
 * @param classpath where it is
 * @param options of the JVM, beside those that all have
 * @param mainClass what runs
 * @param arguments of it
 */
public record Contender(
        String name, String classpath, List<String> options, String mainClass, List<String> arguments) {}
