package io.github.tandemstreams.devservices;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says why the development services don't start, and what to do. */
final class DevServicesFailureAnalyzer extends AbstractFailureAnalyzer<RuntimeException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, RuntimeException cause) {
        DevServicesInProductionException production = findCause(rootFailure, DevServicesInProductionException.class);
        if (production != null) {
            return new FailureAnalysis(
                    "tandem-spring-boot-dev-services is on the class path of an application that runs on Kubernetes, and"
                            + " no database or no Kafka broker is configured. Its embedded servers lose their data with"
                            + " the pod, so they don't start there.",
                    "Set spring.datasource.url and spring.kafka.bootstrap-servers, and take"
                            + " tandem-spring-boot-dev-services out of the packaged application (Spring Boot's build"
                            + " plugins leave it out by themselves).",
                    production);
        }
        DevServicesInUseException inUse = findCause(rootFailure, DevServicesInUseException.class);
        if (inUse != null) {
            return new FailureAnalysis(
                    "The development services' data directory " + inUse.dataDir() + " is in use by process "
                            + inUse.owner() + ", which is alive.",
                    "Stop that process, or give this application a tandem.dev-services.data-dir of its own.",
                    inUse);
        }
        return null;
    }
}
