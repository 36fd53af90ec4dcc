package io.github.tandemstreams.acceptance.faults;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.core.env.Environment;

/** Ends a process whose test is gone: its shutdown hook doesn't run where the test's JVM was killed itself. */
@AutoConfiguration
@ConditionalOnProperty("crash.parent")
public final class OrphanWatch {

    OrphanWatch(Environment environment) {
        ProcessHandle.of(environment.getRequiredProperty("crash.parent", Long.class))
                .ifPresentOrElse(parent -> parent.onExit().thenRun(OrphanWatch::end), OrphanWatch::end);
    }

    private static void end() {
        Runtime.getRuntime().halt(1);
    }
}
