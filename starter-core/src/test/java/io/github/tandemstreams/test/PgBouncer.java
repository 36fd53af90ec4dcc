package io.github.tandemstreams.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PgBouncer in transaction mode on the loopback interface, in front of the server of {@link PostgresServer}: the program
 * of Debian's package {@code pgbouncer}, where it is installed. It ends with the JVM.
 */
public final class PgBouncer {

    /**
     * Server connections for each database: fewer than its clients, so that these share them, and one more than instances
     * that migrate at the same time. Each of those holds one while it waits for its turn, and whose turn it is needs two.
     */
    public static final int SERVER_CONNECTIONS = 4;

    private static int port;

    private PgBouncer() {}

    /** Where the program is, if it is installed. */
    public static Optional<Path> program() {
        return Stream.concat(
                        Stream.of(System.getenv("PATH").split(File.pathSeparator, -1)),
                        Stream.of("/usr/sbin", "/usr/local/sbin"))
                .map(folder -> Path.of(folder, "pgbouncer"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The same database by way of the pooler. Statements aren't prepared on the server: before 1.21 it can't have that. */
    public static PGSimpleDataSource before(PGSimpleDataSource database) {
        PGSimpleDataSource pooled =
                PostgresServer.as(database, database.getUser(), String.valueOf(database.getPassword()));
        pooled.setServerNames(new String[] {"127.0.0.1"});
        pooled.setPortNumbers(new int[] {port(database)});
        pooled.setPrepareThreshold(0);
        return pooled;
    }

    private static synchronized int port(PGSimpleDataSource database) {
        if (port == 0) {
            try {
                port = start(database);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
        return port;
    }

    private static int start(PGSimpleDataSource database) throws IOException {
        int free = freePort();
        Path folder = Files.createTempDirectory("pgbouncer");
        Path settings = folder.resolve("pgbouncer.ini");
        Files.writeString(settings, """
                [databases]
                * = host=127.0.0.1 port=%d user=%s password=%s
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                default_pool_size = %d
                max_client_conn = 500
                ignore_startup_parameters = extra_float_digits,options
                """.formatted(
                PostgresServer.port(database), database.getUser(), database.getPassword(), free, SERVER_CONNECTIONS));
        Path log = folder.resolve("log");
        Process process = new ProcessBuilder(command(settings))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "pgbouncer-end"));
        Awaitility.await("PgBouncer listens; its log is " + log)
                .atMost(Duration.ofSeconds(20))
                .until(() -> {
                    assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
                    return listens(free);
                });
        return free;
    }

    /** It refuses to run as root: then in a user namespace, where it is nobody. */
    private static List<String> command(Path settings) {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("unshare", "-U"));
        }
        command.addAll(List.of(program().orElseThrow().toString(), settings.toString()));
        return command;
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
