package io.github.tandemstreams.devservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** Both servers for real, in this process: they work, keep what they should, and leave nothing behind. */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class DevServicesTest {

    @Test
    void bothStartWithTheDurabilityOfProductionAndLeaveNothing(CapturedOutput output) throws Exception {
        List<Path> directories;
        ProcessHandle postgres;
        try (ConfigurableApplicationContext context = DevApplication.run()) {
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
            assertThat(DevApplication.records(context)).isEqualTo(1);
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
        try (ConfigurableApplicationContext context =
                DevApplication.run("--spring.kafka.bootstrap-servers=localhost:1")) {
            assertThat(context.getBeansOfType(DevPostgres.class)).hasSize(1);
            assertThat(context.getBeansOfType(DevKafka.class)).isEmpty();
        }
        try (ConfigurableApplicationContext context =
                DevApplication.run("--spring.datasource.url=jdbc:postgresql://localhost:1/none")) {
            assertThat(context.getBeansOfType(DevPostgres.class)).isEmpty();
            assertThat(context.getBeansOfType(DevKafka.class)).hasSize(1);
            assertThat(context.getBean(KafkaConnectionDetails.class).getBootstrapServers())
                    .containsExactly(context.getBean(DevKafka.class).bootstrapServers());
        }
    }

    @Test
    void dataIsKeptOverARestart(@TempDir Path directory) throws Exception {
        for (int start = 1; start <= 2; start++) {
            try (ConfigurableApplicationContext context =
                    DevApplication.run("--tandem.dev-services.data-dir=" + directory)) {
                DevApplication.write(context);
                assertThat(DevApplication.rows(context)).isEqualTo(start);
                assertThat(DevApplication.records(context)).isEqualTo(start);
            }
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
        try (ConfigurableApplicationContext context =
                DevApplication.run("--tandem.dev-services.data-dir=" + directory)) {
            DevApplication.write(context);
            assertThat(DevApplication.rows(context)).isEqualTo(1);
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
}
