package io.github.tandemstreams.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ThreadLocalRandom;

/** Names this instance for people who read the tables: host, process, and something that differs after a restart. */
final class InstanceName {

    private InstanceName() {}

    static String create() {
        String random = Integer.toString(ThreadLocalRandom.current().nextInt(1 << 24), 36);
        return host() + "-" + ProcessHandle.current().pid() + "-" + random;
    }

    private static String host() {
        String container = System.getenv("HOSTNAME"); // the pod's name; asking the resolver may take seconds
        if (container != null && !container.isBlank()) {
            return container;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "unknown";
        }
    }
}
