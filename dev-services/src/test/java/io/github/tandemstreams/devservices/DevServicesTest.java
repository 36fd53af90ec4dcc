package io.github.tandemstreams.devservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** Both servers for real: they work, keep what they should, and leave nothing behind. */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class DevServicesTest {

    private static final String QUIET = "--spring.main.banner-mode=off";

    private static final Pattern JDBC_URL = Pattern.compile("jdbc:postgresql://\\S+");

    /** Loggers by their full names: what the servers have, and neither Kafka's clients nor the application. */
    private static final Pattern SERVERS =
            Pattern.compile("INFO (io\\.zonky|kafka\\.|state\\.change|org\\.apache\\.kafka\\.(?!clients)).*");

    @Test
    void bothStartWithTheDurabilityOfProductionAndLeaveNothing(CapturedOutput output) throws Exception {
        List<Path> directories;
        ProcessHandle postgres;
        try (ConfigurableApplicationContext context = run()) {
            DevApplication.write(context);
            postgres = ProcessHandle.of(DevApplication.postmaster(context)).orElseThrow();
            directories = directories(context);
            assertThat(directories).allMatch(Files::exists);

            assertThat(setting(context, "fsync")).isEqualTo("on");
            assertThat(setting(context, "synchronous_commit")).isEqualTo("on");
            assertThat(setting(context, "idle_in_transaction_session_timeout")).isEqualTo("1min");
            // 17.6 of the binaries 17.6.0
            assertThat(System.getProperty("tandem.test.postgres-binaries"))
                    .startsWith(setting(context, "server_version") + ".");
            assertThat(records(context)).isEqualTo(1);
            assertThat(output)
                    .contains(context.getBean(DevPostgres.class).jdbcUrl())
                    .contains(context.getBean(DevKafka.class).bootstrapServers());
        }
        await().atMost(Duration.ofSeconds(20)).until(() -> !postgres.isAlive());
        assertThat(directories).noneMatch(Files::exists);
        assertThat(output.getAll().lines().filter(line -> line.contains(" ERROR ")))
                .isEmpty();
    }

    @Test
    void oneAloneStarts() {
        try (ConfigurableApplicationContext context = run("--spring.kafka.bootstrap-servers=localhost:1")) {
            assertThat(context.getBeansOfType(DevPostgres.class)).hasSize(1);
            assertThat(context.getBeansOfType(DevKafka.class)).isEmpty();
        }
        try (ConfigurableApplicationContext context =
                run("--spring.datasource.url=jdbc:postgresql://localhost:1/none")) {
            assertThat(context.getBeansOfType(DevPostgres.class)).isEmpty();
            assertThat(context.getBeansOfType(DevKafka.class)).hasSize(1);
            assertThat(context.getBean(KafkaConnectionDetails.class).getBootstrapServers())
                    .containsExactly(context.getBean(DevKafka.class).bootstrapServers());
        }
    }

    @Test
    void dataIsKeptOverARestart(@TempDir Path directory) throws Exception {
        for (int start = 1; start <= 2; start++) {
            try (ConfigurableApplicationContext context = run("--tandem.dev-services.data-dir=" + directory)) {
                DevApplication.write(context);
                assertThat(rows(context)).isEqualTo(start);
                assertThat(records(context)).isEqualTo(start);
            }
        }
    }

    @Test
    void dataIsKeptOverAKill(@TempDir Path directory) throws Exception {
        String dataDir = "--tandem.dev-services.data-dir=" + directory;
        Application killed = new Application(dataDir);
        ProcessHandle postgres = killed.postgres();
        killed.kill();
        assertThat(postgres.isAlive())
                .as("a killed application leaves its Postgres")
                .isTrue();

        try (ConfigurableApplicationContext context = run(dataDir)) {
            assertThat(rows(context)).isEqualTo(1);
            assertThat(records(context)).isEqualTo(1);
            assertThat(postgres.isAlive()).isFalse();
        }
    }

    /** Somebody's psql, say. */
    @Test
    void aSessionOfAnotherToolDoesntKeepTheLeftOverServer(@TempDir Path directory) throws Exception {
        String dataDir = "--tandem.dev-services.data-dir=" + directory;
        Application killed = new Application(dataDir);
        ProcessHandle postgres = killed.postgres();
        killed.kill();
        try (Connection tool = DriverManager.getConnection(killed.jdbcUrl(), DevPostgres.USER, DevPostgres.USER)) {
            assertThat(tool.isValid(5)).isTrue();
            try (ConfigurableApplicationContext context = run(dataDir)) {
                assertThat(rows(context)).isEqualTo(1);
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
            assertThatThrownBy(() -> run(dataDir)).satisfies(failure -> {
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

    /** The number of an owner that is gone may be somebody else's by now. */
    @Test
    void anOwnerThatIsGoneIsNoOwnerThoughItsProcessIdLives(@TempDir Path directory) throws Exception {
        long somebodyElse = ProcessHandle.current().parent().orElseThrow().pid();
        for (String server : List.of("postgres", "kafka")) {
            Files.createDirectories(directory.resolve(server));
            Files.writeString(directory.resolve(server).resolve("owner.pid"), String.valueOf(somebodyElse));
        }
        try (ConfigurableApplicationContext context = run("--tandem.dev-services.data-dir=" + directory)) {
            DevApplication.write(context);
            assertThat(rows(context)).isEqualTo(1);
        }
    }

    /** On SIGTERM Spring closes beans in order; the servers must not go before those that use them. */
    @Test
    void theServersStopAfterTheApplication() throws Exception {
        Application terminated = new Application();
        ProcessHandle postgres = terminated.postgres();
        terminated.process.toHandle().destroy();
        assertThat(terminated.rest()).contains(DevApplication.LAST_WORDS).noneMatch(line -> line.contains(" ERROR "));
        assertThat(terminated.process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        await().atMost(Duration.ofSeconds(20)).until(() -> !postgres.isAlive());
    }

    @Test
    void theServersKeepQuietInTheApplicationsLog() throws Exception {
        Application application = new Application("--logging.config=classpath:full-names.xml");
        ProcessHandle postgres = application.postgres();
        application.process.toHandle().destroy();
        List<String> lines = Stream.concat(application.seen.stream(), application.rest().stream())
                .toList();
        assertThat(lines).noneMatch(line -> SERVERS.matcher(line).matches());
        assertThat(lines).anyMatch(line -> line.contains("Development services: no Kafka broker"));
        await().atMost(Duration.ofSeconds(20)).until(() -> !postgres.isAlive());
    }

    @Test
    void theApplicationsOwnLevelsAreStronger() throws Exception {
        Application application = new Application(
                "--logging.config=classpath:full-names.xml", "--logging.level.io.zonky.test.db.postgres.embedded=INFO");
        ProcessHandle postgres = application.postgres();
        application.process.toHandle().destroy();
        application.rest();
        assertThat(application.seen).anyMatch(line -> line.startsWith("INFO io.zonky"));
        await().atMost(Duration.ofSeconds(20)).until(() -> !postgres.isAlive());
    }

    private static ConfigurableApplicationContext run(String... arguments) {
        SpringApplication application = new SpringApplication(DevApplication.class);
        application.setRegisterShutdownHook(false);
        return application.run(
                Stream.concat(Stream.of(QUIET), Stream.of(arguments)).toArray(String[]::new));
    }

    /** To its end: it writes to its directory until then, and the directory is about to be deleted. */
    private static void stop(ProcessHandle postgres) throws Exception {
        postgres.destroy();
        postgres.onExit().get(30, TimeUnit.SECONDS);
    }

    private static int rows(ConfigurableApplicationContext context) {
        return DevApplication.jdbc(context).queryForList("SELECT id FROM kept").size();
    }

    private static long records(ConfigurableApplicationContext context) throws Exception {
        TopicPartition partition = new TopicPartition(DevApplication.TOPIC, 0);
        try (Admin admin = Admin.create(DevApplication.connection(context))) {
            return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                    .partitionResult(partition)
                    .get(20, TimeUnit.SECONDS)
                    .offset();
        }
    }

    private static String setting(ConfigurableApplicationContext context, String name) {
        return DevApplication.jdbc(context).queryForObject("SELECT current_setting(?)", String.class, name);
    }

    /** Where the two servers keep their data, as they say themselves. */
    private static List<Path> directories(ConfigurableApplicationContext context) throws Exception {
        try (Admin admin = Admin.create(DevApplication.connection(context))) {
            Map<String, LogDirDescription> logs = admin.describeLogDirs(List.of(1))
                    .allDescriptions()
                    .get(20, TimeUnit.SECONDS)
                    .get(1);
            return List.of(
                    Path.of(setting(context, "data_directory")),
                    Path.of(logs.keySet().iterator().next()));
        }
    }

    /** The application as a process of its own, ready. */
    private static final class Application {

        final Process process;
        private final BufferedReader output;
        private final long postmaster;
        final List<String> seen = new ArrayList<>();

        Application(String... arguments) throws IOException {
            List<String> command = new ArrayList<>(List.of(
                    ProcessHandle.current().info().command().orElse("java"),
                    "-cp",
                    System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                    DevApplication.class.getName(),
                    QUIET));
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

        /** All that it still says, until it ends. */
        List<String> rest() {
            return output.lines().toList();
        }

        /** As SIGKILL does. */
        void kill() throws InterruptedException {
            process.toHandle().destroyForcibly();
            process.waitFor();
        }
    }
}
