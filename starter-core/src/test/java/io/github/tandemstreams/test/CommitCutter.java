package io.github.tandemstreams.test;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A loopback proxy in front of Postgres that cuts a connection at a COMMIT: before the server gets it, or after the server
 * has answered and before the client sees the answer; or that leaves it half open. Connect through it with {@code prepareThreshold=0}, so that each
 * COMMIT carries its text.
 */
public final class CommitCutter implements Closeable {

    /** Where the connection is cut. */
    public enum Cut {
        BEFORE_THE_SERVER_GETS_IT,
        AFTER_THE_SERVER_COMMITTED,

        /** It isn't: nothing passes any more, and neither side hears that the other is gone. */
        HALF_OPEN
    }

    private static final byte[] COMMIT = "COMMIT".getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket server;
    private final int target;
    private final AtomicReference<Cut> armed = new AtomicReference<>();
    private final AtomicInteger cuts = new AtomicInteger();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** A proxy to this port of the loopback interface. */
    public CommitCutter(int target) throws IOException {
        this(0, target);
    }

    /** A proxy from one port of the loopback interface to another. */
    public CommitCutter(int port, int target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        daemon("commit-cutter", this::accept);
    }

    /** The port to connect to. */
    public int port() {
        return server.getLocalPort();
    }

    /** The next COMMIT of any connection meets this. */
    public void arm(Cut cut) {
        armed.set(cut);
    }

    /** Whether no COMMIT has met the last {@link #arm} yet. */
    public boolean isArmed() {
        return armed.get() != null;
    }

    /** Connections cut so far. */
    public int cuts() {
        return cuts.get();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Socket postgres = new Socket(InetAddress.getLoopbackAddress(), target);
                client.setTcpNoDelay(true);
                postgres.setTcpNoDelay(true);
                open.add(client);
                open.add(postgres);
                Link link = new Link(client, postgres);
                daemon("commit-cutter-out", link::toServer);
                daemon("commit-cutter-in", link::toClient);
            } catch (IOException closed) {
                // The server socket was closed, or Postgres is down: the client sees a closed connection.
            }
        }
    }

    /** One connection. */
    private final class Link {

        private final Socket client;
        private final Socket postgres;
        private volatile boolean swallowAnswer;
        private volatile boolean halfOpen;

        Link(Socket client, Socket postgres) {
            this.client = client;
            this.postgres = postgres;
        }

        void toServer() {
            pump(client, postgres, (chunk, length) -> {
                if (!contains(chunk, length)) {
                    return true;
                }
                Cut cut = armed.getAndSet(null);
                if (cut == Cut.BEFORE_THE_SERVER_GETS_IT) {
                    cuts.incrementAndGet();
                    return false;
                }
                if (cut == Cut.HALF_OPEN) {
                    halfOpen = true;
                    cuts.incrementAndGet();
                }
                swallowAnswer = cut == Cut.AFTER_THE_SERVER_COMMITTED;
                return true;
            });
        }

        void toClient() {
            pump(postgres, client, (chunk, length) -> {
                if (swallowAnswer && contains(chunk, length)) {
                    cuts.incrementAndGet();
                    return false;
                }
                return true;
            });
        }

        private void pump(Socket from, Socket to, Gate gate) {
            byte[] chunk = new byte[1 << 16];
            try (from;
                    to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                    if (!gate.passes(chunk, length)) {
                        return;
                    }
                    if (!halfOpen) {
                        out.write(chunk, 0, length);
                        out.flush();
                    }
                }
                if (halfOpen) {
                    closed.await();
                }
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
            } catch (IOException gone) {
                // The other direction closed both sockets.
            } finally {
                open.remove(from);
                open.remove(to);
            }
        }
    }

    private interface Gate {
        boolean passes(byte[] chunk, int length);
    }

    private static boolean contains(byte[] chunk, int length) {
        for (int i = 0; i + COMMIT.length <= length; i++) {
            if (Arrays.equals(chunk, i, i + COMMIT.length, COMMIT, 0, COMMIT.length)) {
                return true;
            }
        }
        return false;
    }

    private static void daemon(String name, Runnable runnable) {
        Thread thread = new Thread(runnable, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
        closed.countDown();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
