package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.tandemstreams.autoconfigure.EndpointClient.Answer;
import io.github.tandemstreams.test.KafkaBroker;
import io.github.tandemstreams.test.PostgresServer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** What of the endpoint is there for whom: by its access, over which technology, and with which role. */
class TandemEndpointAccessTest {

    private static final String PAUSE =
            "{\"action\":\"pause\",\"lane\":\"*\",\"dryRun\":false,\"expectedVersion\":\"any\"}";

    private final KafkaBroker broker = KafkaBroker.shared();
    private final PGSimpleDataSource database = PostgresServer.newDatabase();
    private final JdbcTemplate jdbc = new JdbcTemplate(database);
    private final String topic = broker.newTopic(1);
    private final String lane = topic + "-0";

    @BeforeEach
    void aBadRecord() {
        PostgresServer.execute(database, "create table seen (part int, off bigint, batch bigint)");
        PostgresServer.execute(database, "create table handler as select false as mended");
        broker.write(List.of(new ProducerRecord<>(topic, "bad s3cret".getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void itIsntExposedOverTheWebUnlessThatIsConfigured() {
        try (ConfigurableApplicationContext application = start(WebApplicationType.SERVLET)) {
            assertThat(EndpointClient.of(application).get("").status()).isEqualTo(404);
        }
    }

    @Test
    void commandsAreRefusedUnlessAccessIsUnrestrictedAndPayloadsAreNeverShown() {
        try (ConfigurableApplicationContext application =
                start(WebApplicationType.SERVLET, "management.endpoints.web.exposure.include=tandem")) {
            EndpointClient anna = EndpointClient.of(application).as("anna", "letmein");
            assertThat(anna.get("").status()).isEqualTo(200);
            for (String path : List.of("/orders", "/orders/commands", "/orders/lanes/" + lane)) {
                assertThat(anna.post(path, PAUSE).status()).as(path).isIn(404, 405);
            }
            assertThat(jdbc.queryForList("select * from tandem.operator_command"))
                    .isEmpty();
            assertThat(jdbc.queryForList("select state from tandem.lane", String.class))
                    .containsExactly("active");
            assertThat(anna.get("/orders/dead-letters").text())
                    .contains("\"offset\":0")
                    .doesNotContain("s3cret", "payload");
        }
    }

    @Test
    void whenAuthorizedTakesTheRole() {
        String[] settings = {
            "management.endpoints.web.exposure.include=tandem",
            "management.endpoint.tandem.show-payloads=when-authorized",
            "management.endpoint.tandem.roles=AUDITOR",
            "spring.security.user.roles=OPERATOR"
        };
        try (ConfigurableApplicationContext application = start(WebApplicationType.SERVLET, settings)) {
            assertThat(deadLettersFor(application)).doesNotContain("s3cret");
        }
        settings[3] = "spring.security.user.roles=AUDITOR";
        try (ConfigurableApplicationContext application = start(WebApplicationType.SERVLET, settings)) {
            assertThat(deadLettersFor(application)).contains("bad s3cret");
            assertThat(EndpointClient.of(application)
                            .get("/orders/dead-letters")
                            .text())
                    .doesNotContain("s3cret");
        }
    }

    /** Postgres quotes the row that it refuses. */
    @Test
    void whyALaneFailedIsShownOnlyToThoseWhoSeePayloads() {
        PostgresServer.execute(database, "alter table seen add note text default 's3cret row', add check (part < 0)");
        PostgresServer.execute(database, "update handler set mended = true");
        try (ConfigurableApplicationContext application = launch(
                WebApplicationType.SERVLET,
                "management.endpoints.web.exposure.include=tandem",
                "management.endpoint.tandem.show-payloads=when-authorized",
                "tandem.streams.orders.on-failure=stop")) {
            App.await()
                    .until(
                            () -> jdbc
                                    .queryForList(
                                            "select failure from tandem.lane where state = 'failed'", String.class)
                                    .stream()
                                    .anyMatch(failure -> failure.contains("s3cret row")));
            EndpointClient endpoint = EndpointClient.of(application);
            EndpointClient anna = endpoint.as("anna", "letmein");
            for (String path : List.of("", "/orders", "/orders/lanes", "/orders/lanes/" + lane)) {
                assertThat(endpoint.get(path).text())
                        .as(path)
                        .contains(
                                "failed; its cause is in tandem.lane.failure, and in its log without what records hold")
                        .doesNotContain("s3cret");
                assertThat(anna.get(path).text()).as(path).contains("s3cret row");
            }
        }
    }

    @Test
    void aDatabaseThatIsAwayIsSaidToBe() {
        PGSimpleDataSource other = PostgresServer.newDatabase();
        String name = database.getDatabaseName();
        try (ConfigurableApplicationContext application = start(
                WebApplicationType.SERVLET,
                "management.endpoints.web.exposure.include=tandem",
                "management.endpoint.tandem.access=unrestricted",
                "spring.datasource.hikari.connection-timeout=500")) {
            EndpointClient endpoint = EndpointClient.of(application);
            PostgresServer.execute(other, "alter database " + name + " allow_connections false");
            try {
                PostgresServer.execute(
                        other, "select pg_terminate_backend(pid) from pg_stat_activity where datname = '" + name + "'");
                for (Answer answer : List.of(
                        endpoint.get(""),
                        endpoint.get("/orders/lanes"),
                        endpoint.get("/orders/dead-letters"),
                        endpoint.post("/orders", PAUSE))) {
                    assertThat(answer.status()).as(answer.text()).isEqualTo(503);
                    assertThat(answer.message()).isEqualTo("The database can't be reached");
                }
            } finally {
                PostgresServer.execute(other, "alter database " + name + " allow_connections true");
            }
        }
    }

    private static String deadLettersFor(ConfigurableApplicationContext application) {
        return EndpointClient.of(application)
                .as("anna", "letmein")
                .get("/orders/dead-letters")
                .text();
    }

    @Test
    void worksUnderWebFlux() {
        try (ConfigurableApplicationContext application = start(
                WebApplicationType.REACTIVE,
                "management.endpoints.web.exposure.include=tandem",
                "management.endpoint.tandem.access=unrestricted",
                "management.endpoint.tandem.show-payloads=when-authorized")) {
            EndpointClient endpoint = EndpointClient.of(application);
            EndpointClient anna = endpoint.as("anna", "letmein");
            assertThat(endpoint.get("/orders").json().get("deadLetters").intValue())
                    .isEqualTo(1);
            assertThat(endpoint.get("/orders/dead-letters").text()).doesNotContain("s3cret");
            assertThat(anna.get("/orders/dead-letters").text()).contains("bad s3cret");
            assertThat(endpoint.get("/payments").status()).isEqualTo(404);
            Answer paused = anna.post(
                    "/orders",
                    "{\"action\":\"pause\",\"dryRun\":false,\"expectedVersion\":0,\"lane\":\"" + lane + "\"}");
            assertThat(paused.status()).isEqualTo(200);
            assertThat(jdbc.queryForList("select state from tandem.lane", String.class))
                    .containsExactly("paused");
            assertThat(jdbc.queryForList("select issued_by from tandem.operator_command", String.class))
                    .containsExactly("anna");
            assertThat(endpoint.post(
                                    "/orders",
                                    "{\"action\":\"resume\",\"lane\":\"*\",\"dryRun\":false,\"expectedVersion\":0}")
                            .status())
                    .isEqualTo(409);
            assertThat(endpoint.post("/orders", "{\"action\":\"skip\",\"dryRun\":false}")
                            .status())
                    .isEqualTo(400);
        }
    }

    @Test
    void worksOverJmx() throws Exception {
        String domain = "tandem." + topic;
        try (ConfigurableApplicationContext ignored = start(
                WebApplicationType.NONE,
                "spring.jmx.enabled=true",
                "management.endpoints.jmx.exposure.include=tandem",
                "management.endpoints.jmx.domain=" + domain,
                "management.endpoint.tandem.access=unrestricted")) {
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            ObjectName name = server.queryNames(new ObjectName(domain + ":type=Endpoint,*"), null).stream()
                    .findFirst()
                    .orElseThrow();
            assertThat(invoke(server, name, "streams", Map.of()).toString()).contains("orders");
            assertThat(invoke(server, name, "list", Map.of("stream", "orders", "part", "dead-letters"))
                            .toString())
                    .contains("offset=0")
                    .doesNotContain("s3cret");
            assertThat(invoke(
                                    server,
                                    name,
                                    "command",
                                    Map.of(
                                            "stream",
                                            "orders",
                                            "action",
                                            "pause",
                                            "dryRun",
                                            false,
                                            "lane",
                                            "*",
                                            "expectedVersion",
                                            "any"))
                            .toString())
                    .contains("issuedBy=actuator");
            assertThat(jdbc.queryForList("select state from tandem.lane", String.class))
                    .containsExactly("paused");
            assertThatThrownBy(() -> invoke(server, name, "stream", Map.of("stream", "payments")))
                    .rootCause()
                    .hasMessageContaining("There is no stream 'payments', but orders");
        }
    }

    private static Object invoke(MBeanServer server, ObjectName name, String operation, Map<String, Object> arguments)
            throws Exception {
        MBeanOperationInfo found = Arrays.stream(server.getMBeanInfo(name).getOperations())
                .filter(candidate -> candidate.getName().equals(operation))
                .findFirst()
                .orElseThrow();
        Object[] values = Arrays.stream(found.getSignature())
                .map(parameter -> arguments.get(parameter.getName()))
                .toArray();
        String[] types = Arrays.stream(found.getSignature())
                .map(parameter -> parameter.getType())
                .toArray(String[]::new);
        return server.invoke(name, operation, values, types);
    }

    /** Starts the application, and waits until the bad record is a dead letter. */
    private ConfigurableApplicationContext start(WebApplicationType web, String... settings) {
        ConfigurableApplicationContext application = launch(web, settings);
        App.await()
                .until(() ->
                        jdbc.queryForList("select id from tandem.dead_letter").size() == 1);
        return application;
    }

    private ConfigurableApplicationContext launch(WebApplicationType web, String... settings) {
        return App.of(OrdersApplication.class)
                .withoutJpa()
                .on(database)
                .on(broker)
                .with(
                        "server.port=0",
                        "spring.security.user.name=anna",
                        "spring.security.user.password=letmein",
                        "tandem.streams.orders.topics=" + topic,
                        "tandem.streams.orders.max-attempts=1")
                .with(settings)
                .startAs(web);
    }
}
