package io.github.tandemstreams.devservices;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An embedded Postgres with the durability that a real one has. */
final class DevPostgres implements AutoCloseable {

    static final String USER = "postgres";

    private static final Logger log = LoggerFactory.getLogger(DevPostgres.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final EmbeddedPostgres server;
    private final DataDirectory directory;

    private DevPostgres(EmbeddedPostgres server, DataDirectory directory) {
        this.server = server;
        this.directory = directory;
    }

    static DevPostgres start(@Nullable Path dataDir) {
        DataDirectory directory = DataDirectory.of(dataDir, "postgres");
        Path data = directory.resolve("data");
        try {
            stopLeftOver(data);
            EmbeddedPostgres server = EmbeddedPostgres.builder()
                    .setDataDirectory(data)
                    .setCleanDataDirectory(!directory.isKept())
                    // The embedded server's own defaults trade durability for speed, and promises rest on it.
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("idle_in_transaction_session_timeout", "60s")
                    .setPGStartupWait(PATIENCE)
                    // A hook of its own would stop the server while the application's hook still closes beans.
                    .setRegisterShutdownHook(false)
                    .start();
            return new DevPostgres(server, directory);
        } catch (IOException failure) {
            directory.close();
            throw new UncheckedIOException("The embedded Postgres doesn't start in " + data, failure);
        } catch (RuntimeException failure) {
            directory.close();
            throw failure;
        }
    }

    /**
     * A killed application leaves its Postgres behind, which holds the data directory. Nobody uses it any more, since the
     * directory's owner is gone: it is stopped in order, and finishes what it has to.
     */
    private static void stopLeftOver(Path data) {
        Path pidFile = data.resolve("postmaster.pid");
        try {
            if (!Files.exists(pidFile)) {
                return;
            }
            List<String> lines = Files.readAllLines(pidFile);
            if (lines.isEmpty() || !isSame(lines, data)) {
                return;
            }
            ProcessHandle postmaster =
                    ProcessHandle.of(Long.parseLong(lines.get(0).trim())).orElse(null);
            if (postmaster != null && isPostgres(postmaster)) {
                log.info("Stopping the Postgres that a killed application left behind (process {})", postmaster.pid());
                shutDownFast(postmaster);
                postmaster.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        } catch (IOException | ExecutionException | TimeoutException failure) {
            throw new IllegalStateException("The Postgres left behind in " + data + " can't be stopped", failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /**
     * By SIGINT, which ends all sessions and then shuts down in order. SIGTERM would wait for the last psql to be closed,
     * and pg_ctl doesn't run as root.
     */
    private static void shutDownFast(ProcessHandle postmaster) throws IOException, InterruptedException {
        if (System.getProperty("os.name", "").startsWith("Windows")) {
            postmaster.destroy(); // there are no signals; the next start recovers from the log
        } else {
            new ProcessBuilder("sh", "-c", "kill -INT " + postmaster.pid())
                    .redirectErrorStream(true)
                    .start()
                    .waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** The second line of the file names the data directory. */
    private static boolean isSame(List<String> lines, Path data) throws IOException {
        return lines.size() > 1 && Files.isSameFile(Path.of(lines.get(1).trim()), data);
    }

    /** The number may belong to another process by now. */
    private static boolean isPostgres(ProcessHandle process) {
        return process.isAlive()
                && process.info()
                        .command()
                        .map(command -> command.contains("postgres"))
                        .orElse(false);
    }

    String jdbcUrl() {
        return "jdbc:postgresql://localhost:" + server.getPort() + "/postgres";
    }

    void announce() {
        log.info("Development services: no database is configured, an embedded Postgres runs at {}", jdbcUrl());
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException failure) {
            log.warn("The embedded Postgres didn't stop in order", failure);
        } finally {
            directory.close();
        }
    }
}
