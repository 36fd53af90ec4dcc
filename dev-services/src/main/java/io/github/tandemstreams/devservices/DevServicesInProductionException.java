package io.github.tandemstreams.devservices;

/** The development services were about to start where an application runs in earnest. */
final class DevServicesInProductionException extends RuntimeException {

    DevServicesInProductionException() {
        super("The development services don't start on Kubernetes");
    }
}
