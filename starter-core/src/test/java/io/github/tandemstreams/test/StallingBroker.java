package io.github.tandemstreams.test;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/**
 * A broker of its own that can fall silent: connections stay open and nothing comes over them any more, as from a machine
 * that hangs.
 */
public final class StallingBroker implements AutoCloseable {

    private final ServerSocket server;
    private final EmbeddedKafkaKraftBroker embedded;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private long passes = Long.MAX_VALUE;

    public StallingBroker() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        embedded = new EmbeddedKafkaKraftBroker(1, 1);
        embedded.brokerProperty("advertised.listeners", "EXTERNAL://127.0.0.1:" + server.getLocalPort());
        embedded.brokerProperty("offsets.topic.num.partitions", "1");
        embedded.brokerProperty("offsets.topic.replication.factor", "1");
        embedded.brokerProperty("group.initial.rebalance.delay.ms", "0");
        embedded.afterPropertiesSet();
        String broker = embedded.getBrokersAsString();
        target = Integer.parseInt(broker.substring(broker.lastIndexOf(':') + 1));
        daemon("stalling-broker", this::accept);
    }

    /** Where clients find it. */
    public String bootstrapServers() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    /** Falls silent after it has sent this many bytes more. */
    public synchronized void stallAfter(long bytes) {
        passes = bytes;
    }

    public synchronized boolean isStalled() {
        return passes <= 0;
    }

    /** What was held back comes now. */
    public synchronized void goOn() {
        passes = Long.MAX_VALUE;
        notifyAll();
    }

    private synchronized void pass(int bytes) throws InterruptedException {
        while (passes <= 0) {
            wait();
        }
        passes -= bytes;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Socket broker = new Socket(InetAddress.getLoopbackAddress(), target);
                client.setTcpNoDelay(true);
                broker.setTcpNoDelay(true);
                open.add(client);
                open.add(broker);
                daemon("stalling-broker-out", () -> pump(client, broker, false));
                daemon("stalling-broker-in", () -> pump(broker, client, true));
            } catch (IOException closed) {
                // The server socket was closed.
            }
        }
    }

    private void pump(Socket from, Socket to, boolean counted) {
        byte[] chunk = new byte[4096];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                pass(counted ? length : 0);
                out.write(chunk, 0, length);
                out.flush();
            }
        } catch (IOException | InterruptedException gone) {
            // The other direction closed both sockets.
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private static void daemon(String name, Runnable runnable) {
        Thread thread = new Thread(runnable, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        goOn();
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
        embedded.destroy();
    }
}
