package io.github.tandemstreams.torture.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Random;

/**
 * Ports for servers that come back on the same one. They lie below those that the system gives to clients: a client that
 * tries to reach a server which is down would be given the server's own port some day, and be connected to itself.
 */
public final class Ports {

    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;

    private static final Random RANDOM = new Random();

    private Ports() {}

    /** A port of the loopback interface that nobody listens on. */
    public static int free() {
        for (int attempt = 0; attempt < 100; attempt++) {
            int port = LOWEST + RANDOM.nextInt(HIGHEST - LOWEST);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // the next one
            }
        }
        throw new IllegalStateException("No port is free between " + LOWEST + " and " + HIGHEST);
    }
}
