package io.github.tandemstreams.devservices;

import java.nio.file.Path;

/** Another application that is alive works on the data directory. */
final class DevServicesInUseException extends RuntimeException {

    private final Path dataDir;
    private final String owner;

    DevServicesInUseException(Path dataDir, String owner) {
        super("Data directory " + dataDir + " is in use by process " + owner);
        this.dataDir = dataDir;
        this.owner = owner;
    }

    Path dataDir() {
        return dataDir;
    }

    String owner() {
        return owner;
    }
}
