package io.github.tandemstreams.devservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.ConfigurableApplicationContext;

/** The servers of an application that is a process of its own: what they do when it is killed or asked to end. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class DevProcessTest {

    private static final Pattern JDBC_URL = Pattern.compile("jdbc:postgresql://\\S+");

    /** Loggers by their full names: what the servers have, and neither Kafka's clients nor the application. */
    private static final Pattern SERVERS =
            Pattern.compile("INFO (io\\.zonky|kafka\\.|state\\.change|org\\.apache\\.kafka\\.(?!clients)).*");

    /** Also where somebody's psql, say, is still connected to the server that was left. */
    @Test
    void dataIsKeptOverAKill(@TempDir Path directory) throws Exception {
        String dataDir = "--tandem.dev-services.data-dir=" + directory;
        Application killed = new Application(dataDir);
        ProcessHandle postgres = killed.postgres();
        killed.kill();
        try (Connection tool = DriverManager.getConnection(killed.jdbcUrl(), DevPostgres.USER, DevPostgres.USER)) {
            assertThat(tool.isValid(5))
                    .as("a killed application leaves its Postgres")
                    .isTrue();
            try (ConfigurableApplicationContext context = DevApplication.run(dataDir)) {
                assertThat(DevApplication.rows(context)).isEqualTo(1);
                assertThat(DevApplication.records(context)).isEqualTo(1);
                assertThat(postgres.isAlive()).isFalse();
            }
        } finally {
            stop(postgres);
        }
    }

    @Test
    void aDirectoryInUseIsLeftAlone(@TempDir Path directory) throws Exception {
        String dataDir = "--tandem.dev-services.data-dir=" + directory;
        Application first = new Application(dataDir);
        try {
            assertThatThrownBy(() -> DevApplication.run(dataDir)).satisfies(failure -> {
                FailureAnalysis analysis = new DevServicesFailureAnalyzer().analyze(failure);
                assertThat(analysis).isNotNull();
                assertThat(analysis.getDescription())
                        .contains(directory.toString())
                        .contains(String.valueOf(first.process.pid()));
                assertThat(analysis.getAction()).contains("tandem.dev-services.data-dir");
            });
            assertThat(first.postgres().isAlive()).isTrue();
        } finally {
            ProcessHandle postgres = first.postgres();
            first.kill();
            stop(postgres);
        }
    }

    /**
     * On SIGTERM Spring closes beans in order; the servers must not go before those that use them. All the while the log is
     * the application's.
     */
    @Test
    void theServersStopAfterTheApplicationAndKeepQuiet() throws Exception {
        Application terminated = new Application("--last-words=true", "--logging.config=classpath:full-names.xml");
        List<String> lines = terminated.outputUntilTerminated();
        assertThat(lines)
                .contains(DevApplication.LAST_WORDS)
                .anyMatch(line -> line.contains("Development services: no Kafka broker"))
                .noneMatch(line -> line.startsWith("ERROR "))
                .noneMatch(line -> SERVERS.matcher(line).matches());
    }

    @Test
    void theApplicationsOwnLevelsAreStronger() throws Exception {
        Application application = new Application(
                "--logging.config=classpath:full-names.xml", "--logging.level.io.zonky.test.db.postgres.embedded=INFO");
        assertThat(application.outputUntilTerminated()).anyMatch(line -> line.startsWith("INFO io.zonky"));
    }

    /** To its end: it writes to its directory until then, and the directory is about to be deleted. */
    private static void stop(ProcessHandle postgres) throws Exception {
        postgres.destroy();
        postgres.onExit().get(30, TimeUnit.SECONDS);
    }

    /** The application as a process of its own, ready. */
    private static final class Application {

        final Process process;
        private final BufferedReader output;
        private final long postmaster;
        private final List<String> seen = new ArrayList<>();

        Application(String... arguments) throws IOException {
            List<String> command = new ArrayList<>(List.of(
                    ProcessHandle.current().info().command().orElse("java"),
                    // It lives for seconds.
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                    DevApplication.class.getName(),
                    DevApplication.QUIET));
            command.addAll(List.of(arguments));
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
            output = process.inputReader();
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                seen.add(line);
                if (line.startsWith(DevApplication.READY)) {
                    postmaster = Long.parseLong(
                            line.substring(DevApplication.READY.length()).trim());
                    return;
                }
            }
            throw new IllegalStateException("The application ended:\n" + String.join("\n", seen));
        }

        String jdbcUrl() {
            Matcher url = JDBC_URL.matcher(String.join("\n", seen));
            assertThat(url.find()).isTrue();
            return url.group();
        }

        ProcessHandle postgres() {
            return ProcessHandle.of(postmaster).orElseThrow();
        }

        /** Asks it to end, and waits for that and for the end of its Postgres: all that it said from first to last. */
        List<String> outputUntilTerminated() throws InterruptedException {
            ProcessHandle postgres = postgres();
            process.toHandle().destroy();
            output.lines().forEach(seen::add);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            await().atMost(Duration.ofSeconds(20)).until(() -> !postgres.isAlive());
            return seen;
        }

        /** As SIGKILL does. */
        void kill() throws InterruptedException {
            process.toHandle().destroyForcibly();
            process.waitFor();
        }
    }
}
