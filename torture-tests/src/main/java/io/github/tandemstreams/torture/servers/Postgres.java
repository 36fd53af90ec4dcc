package io.github.tandemstreams.torture.servers;

import io.github.tandemstreams.torture.process.Pids;
import io.github.tandemstreams.torture.process.Ports;
import io.github.tandemstreams.torture.process.Signals;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Postgres with the durability of production, which comes back with its data on the same port.
 *
 * <p>Threading: one thread at a time, but for {@link #database}.
 */
public final class Postgres {

    /** The role of the applications. */
    public static final String APPLICATION = "app";

    /** Their database. */
    public static final String DATABASE = "torture";

    /** Postgres calls it an immediate stop. */
    private static final String CRASH = "QUIT";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Pids pids;
    private final Path directory;
    private final int port = Ports.free();
    private EmbeddedPostgres server;

    /** Starts it, empty. */
    public Postgres(Pids pids, Path directory) {
        this.pids = pids;
        this.directory = directory;
        server = launch();
    }

    private EmbeddedPostgres launch() {
        File log = directory.resolve("postgres.log").toFile();
        try {
            EmbeddedPostgres launched = EmbeddedPostgres.builder()
                    .setDataDirectory(data())
                    .setCleanDataDirectory(false)
                    .setPort(port)
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setOutputRedirector(ProcessBuilder.Redirect.appendTo(log))
                    .setErrorRedirector(ProcessBuilder.Redirect.appendTo(log))
                    .setPGStartupWait(PATIENCE)
                    .setRegisterShutdownHook(false)
                    .start();
            pids.add(postmaster(), CRASH);
            return launched;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private Path data() {
        return directory.resolve("postgres");
    }

    private ProcessHandle postmaster() throws IOException {
        String pid = Files.readAllLines(data().resolve("postmaster.pid")).get(0).trim();
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    public int port() {
        return port;
    }

    /** The database of the applications, as a superuser and not by way of the proxy. */
    public PGSimpleDataSource database() {
        return database(DATABASE);
    }

    /** Another one. */
    public PGSimpleDataSource database(String name) {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setServerNames(new String[] {"127.0.0.1"});
        database.setPortNumbers(new int[] {port});
        database.setDatabaseName(name);
        database.setUser("postgres");
        database.setApplicationName("harness");
        database.setReWriteBatchedInserts(true);
        return database;
    }

    /** Ends it as a crash does: nothing is written, sessions aren't told. */
    public void crash() {
        try {
            ProcessHandle postmaster = postmaster();
            Signals.send(CRASH, postmaster.pid());
            postmaster.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            server.close();
        } catch (Exception failure) {
            throw new IllegalStateException("Postgres can't be stopped", failure);
        }
    }

    /** Starts it after a crash; it recovers from its log. */
    public void start() {
        server = launch();
    }
}
