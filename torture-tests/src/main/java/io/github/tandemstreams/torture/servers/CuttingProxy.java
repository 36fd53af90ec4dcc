package io.github.tandemstreams.torture.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What stands between the applications and Postgres: it cuts connections, at any moment or in the middle of a COMMIT.
 *
 * <p>Threading: safe for use by several threads.
 */
public final class CuttingProxy {

    /** Where in a COMMIT a connection is cut. */
    public enum Cut {
        /** The server never gets it. Seen only where COMMIT is sent as text: {@code prepareThreshold=0}. */
        BEFORE,
        /** The server has done it, the client never hears of it. */
        AFTER
    }

    /**
     * COMMITs of a connection, in either direction, that aren't cut: those of an application's start. It would fail, and the
     * next start would be cut again, without anybody at work meanwhile.
     */
    private static final int GRACE = 8;

    private static final byte[] REQUEST = bytes("COMMIT\0");
    private static final byte[] ANSWER = bytes("C\0\0\0\013COMMIT\0");

    private final ServerSocket server;
    private final int target;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final AtomicReference<Cut> armed = new AtomicReference<>();
    private final AtomicInteger commitCuts = new AtomicInteger();

    /** A proxy to this port of the loopback interface. */
    public CuttingProxy(int target) {
        this.target = target;
        try {
            this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
        daemon("proxy", this::accept);
    }

    /** The port to connect to. */
    public int port() {
        return server.getLocalPort();
    }

    /** Cuts this part of all connections, and tells how many that were. */
    public int cut(double part, Random random) {
        List<Link> open = new ArrayList<>(links);
        Collections.shuffle(open, random);
        List<Link> chosen = open.subList(0, (int) Math.ceil(open.size() * part));
        chosen.forEach(Link::close);
        return chosen.size();
    }

    /** The next COMMIT of any connection meets this. */
    public void arm(Cut cut) {
        armed.set(cut);
    }

    /** No COMMIT meets anything. */
    public void disarm() {
        armed.set(null);
    }

    /** Connections that were cut in a COMMIT so far. */
    public int commitCuts() {
        return commitCuts.get();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                accept(server.accept());
            } catch (IOException unreachable) {
                // Postgres is down: the client sees a closed connection.
            }
        }
    }

    private void accept(Socket client) throws IOException {
        try {
            Socket postgres = new Socket(InetAddress.getLoopbackAddress(), target);
            client.setTcpNoDelay(true);
            postgres.setTcpNoDelay(true);
            Link link = new Link(client, postgres);
            links.add(link);
            daemon("proxy-out", link::toServer);
            daemon("proxy-in", link::toClient);
        } catch (IOException unreachable) {
            client.close();
            throw unreachable;
        }
    }

    private boolean meets(Cut cut) {
        return armed.compareAndSet(cut, null) && commitCuts.incrementAndGet() > 0;
    }

    /** One connection. */
    private final class Link {

        private final Socket client;
        private final Socket postgres;

        Link(Socket client, Socket postgres) {
            this.client = client;
            this.postgres = postgres;
        }

        void toServer() {
            pump(client, postgres, REQUEST, Cut.BEFORE);
        }

        void toClient() {
            pump(postgres, client, ANSWER, Cut.AFTER);
        }

        private void pump(Socket from, Socket to, byte[] commit, Cut cut) {
            byte[] chunk = new byte[1 << 16];
            int commits = 0;
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                    if (contains(chunk, length, commit)) {
                        commits++;
                        if (commits > GRACE && meets(cut)) {
                            return;
                        }
                    }
                    out.write(chunk, 0, length);
                    out.flush();
                }
            } catch (IOException gone) {
                // The other direction closed both sockets, or the connection was cut.
            } finally {
                close();
            }
        }

        void close() {
            links.remove(this);
            for (Socket socket : List.of(client, postgres)) {
                try {
                    socket.close();
                } catch (IOException closed) {
                    // it is
                }
            }
        }
    }

    private static boolean contains(byte[] chunk, int length, byte[] wanted) {
        for (int i = 0; i + wanted.length <= length; i++) {
            if (Arrays.equals(chunk, i, i + wanted.length, wanted, 0, wanted.length)) {
                return true;
            }
        }
        return false;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void daemon(String name, Runnable runnable) {
        Thread thread = new Thread(runnable, name);
        thread.setDaemon(true);
        thread.start();
    }
}
