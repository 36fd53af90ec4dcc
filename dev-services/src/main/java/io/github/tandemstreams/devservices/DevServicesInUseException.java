package io.github.tandemstreams.devservices;

import java.nio.file.Path;

/** Another process that is alive works on the data directory. */
final class DevServicesInUseException extends RuntimeException {

    private final Path dataDir;
    private final long owner;

    DevServicesInUseException(Path dataDir, long owner) {
        super("Data directory " + dataDir + " is in use by process " + owner);
        this.dataDir = dataDir;
        this.owner = owner;
    }

    Path dataDir() {
        return dataDir;
    }

    long owner() {
        return owner;
    }
}
