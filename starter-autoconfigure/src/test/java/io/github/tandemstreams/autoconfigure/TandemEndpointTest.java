package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.tandemstreams.test.KafkaBroker;
import io.github.tandemstreams.test.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;

/**
 * The endpoint over the web, unrestricted: what it reads is what stands in Postgres, and what it is told is in Postgres
 * afterwards. One application for all tests; each has a stream that runs, and lanes of its own to move.
 */
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TandemEndpointTest {

    private static final int RECORDS = 25;

    private final KafkaBroker broker = KafkaBroker.shared();
    private final PGSimpleDataSource database = PostgresServer.newDatabase();
    private final JdbcTemplate jdbc = new JdbcTemplate(database);
    private final String topic = broker.newTopic(2);
    private final String lane = topic + "-0";
    private ConfigurableApplicationContext application;
    private EndpointClient endpoint;
    private EndpointClient anna;

    @BeforeAll
    void start() {
        PostgresServer.execute(database, "create table seen (part int, off bigint, batch bigint)");
        PostgresServer.execute(database, "create table handler as select false as mended");
        broker.send(topic, 0, 0, RECORDS);
        broker.send(topic, 1, 0, RECORDS);
        application = App.of(OrdersApplication.class)
                .withoutJpa()
                .on(database)
                .on(broker)
                .with(
                        "server.port=0",
                        "spring.security.user.name=anna",
                        "spring.security.user.password=letmein",
                        "management.endpoints.web.exposure.include=tandem",
                        "management.endpoint.tandem.access=unrestricted",
                        "management.endpoint.tandem.show-payloads=when-authorized",
                        "tandem.streams.orders.topics=" + topic,
                        "tandem.streams.orders.max-records-per-batch=10",
                        "tandem.streams.orders.max-attempts=1")
                .startAs(WebApplicationType.SERVLET);
        endpoint = EndpointClient.of(application);
        anna = endpoint.as("anna", "letmein");
    }

    @AfterAll
    void stop() {
        application.close();
    }

    /** All lanes run, and stand at the end. */
    @BeforeEach
    void caughtUp() {
        command("start", null);
        command("resume", null);
        awaitCaughtUp();
    }

    private void awaitCaughtUp() {
        App.await().until(() -> positions().equals(List.of(ends(0), ends(1))));
    }

    private long ends(int partition) {
        TopicPartition asked = new TopicPartition(topic, partition);
        return KafkaBroker.await(broker.admin()
                        .listOffsets(Map.of(asked, OffsetSpec.latest()))
                        .partitionResult(asked))
                .offset();
    }

    private List<Long> positions() {
        return jdbc.queryForList(
                "select next_offset from tandem.lane_position where state = 'active' order by partition", Long.class);
    }

    @Test
    void tellsOfStreamsLanesAndBatchesWhatStandsInPostgres() {
        JsonNode streams = endpoint.get("").json().get("streams");
        assertThat(streams.size()).isEqualTo(1);
        JsonNode stream = endpoint.get("/orders").json();
        assertThat(streams.get(0)).isEqualTo(stream);
        assertThat(stream.get("stream").stringValue()).isEqualTo("orders");
        assertThat(stream.get("topics").get(0).stringValue()).isEqualTo(topic);
        assertThat(stream.get("lanes").get("active").intValue()).isEqualTo(2);
        assertThat(stream.get("version").longValue()).isEqualTo(version());

        JsonNode lanes = endpoint.get("/orders/lanes").json().get("lanes");
        assertThat(lanes.size()).isEqualTo(2);
        assertThat(lanes.get(0)).isEqualTo(endpoint.get("/orders/lanes/" + lane).json());
        assertThat(lanes.get(0).get("position").get(lane).longValue()).isEqualTo(ends(0));
        assertThat(lanes.get(0).get("lastBatch").longValue())
                .isEqualTo(number("select last_batch from tandem.lane where lane = ?", lane));

        JsonNode batches =
                endpoint.get("/orders/batches?limit=2&lane=" + lane).json().get("batches");
        assertThat(batches.size()).isEqualTo(2);
        assertThat(batches.get(0).get("ends").get(lane).longValue()).isEqualTo(ends(0));
        assertThat(batches.get(0).get("status").stringValue()).isEqualTo("committed");
        assertThat(batches.get(0).get("phaseMillis").has("handler")).isTrue();

        JsonNode ofRecord = endpoint.get("/orders/batches?record=" + lane + "@7")
                .json()
                .get("batches")
                .get(0);
        assertThat(ofRecord.get("batchId").longValue())
                .isEqualTo(number("select max(batch) from seen where part = 0 and off = 7"));
    }

    @Test
    void theRatesOfABatchAreThoseOfTheView() {
        List<Map<String, Object>> rows =
                jdbc.queryForList("select * from tandem.stream_progress where lane = ? order by batch", lane);
        Map<Long, JsonNode> batches = new HashMap<>();
        endpoint.get("/orders/batches?lane=" + lane)
                .json()
                .get("batches")
                .forEach(batch -> batches.put(batch.get("batchId").longValue(), batch));
        assertThat(rows).hasSizeGreaterThan(2).allSatisfy(row -> {
            JsonNode batch = batches.get((long) row.get("batch"));
            assertThat(batch.path("recordsPerSecondIn").asDouble(-1))
                    .isEqualTo(Objects.requireNonNullElse(row.get("records_per_second_in"), -1.0));
            assertThat(batch.get("recordsPerSecondOut").doubleValue()).isEqualTo(row.get("records_per_second_out"));
            assertThat(batch.get("durationMillis").doubleValue())
                    .isCloseTo((float) row.get("duration_ms"), within(0.001));
        });
        assertThat(batches.get(0L).has("recordsPerSecondIn")).isFalse();
    }

    @Test
    void theLagOfALaneInSecondsIsThatOfTheView() {
        assertThat(command("pause", lane).status()).isEqualTo(200);
        broker.send(topic, 0, 0, 1);
        App.await().until(() -> number("select lag from tandem.lane_lag where lane = ?", lane) == 1);

        oldest("now() - interval '10 minutes'");
        double before = lagSeconds();
        double told =
                endpoint.get("/orders/lanes/" + lane).json().path("lagSeconds").asDouble(-1);
        assertThat(told).isBetween(before, lagSeconds()).isGreaterThanOrEqualTo(600);

        oldest("null");
        assertThat(endpoint.get("/orders/lanes/" + lane).json().has("lagSeconds"))
                .isFalse();
    }

    private void oldest(String timestamp) {
        jdbc.update("update tandem.lane_end set oldest = " + timestamp + " where lane = ?", lane);
    }

    private double lagSeconds() {
        return jdbc.queryForObject("select lag_seconds from tandem.lane_lag where lane = ?", Double.class, lane);
    }

    /** As they do after many batches, and where none was planned yet. */
    @Test
    void whereTheLogsDontHaveTheBatchOfARecordItIsToldWhereTheyBegin() {
        String other = topic + "-1";
        jdbc.update("delete from tandem.offset_log where lane = ? and batch = 0", other);
        jdbc.update("delete from tandem.commit_log where lane = ? and batch = 0", other);
        Map<String, Object> oldest = jdbc.queryForMap(
                "select batch, start_offset from tandem.batch where lane = ? order by batch limit 1", other);
        for (String record : List.of(other + "@0", other + "@999999")) {
            EndpointClient.Answer answer = endpoint.get("/orders/batches?record=" + record);
            assertThat(answer.status()).as(record).isEqualTo(404);
            assertThat(answer.message())
                    .contains(record, "batch " + oldest.get("batch"), "offset " + oldest.get("start_offset"))
                    .contains("stands at " + ends(1));
        }
        assertThat(endpoint.get("/orders/batches?record=" + other + "@" + oldest.get("start_offset"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aDryRunTellsWhatTheCommandThenDoes() {
        long version = version();
        String rewind = "{\"action\":\"rewind\",\"offsets\":\"%s=5\",\"dryRun\":%s,\"expectedVersion\":%d,"
                + "\"reason\":\"prices were wrong\"}";
        int seen = jdbc.queryForList("select * from seen").size();

        EndpointClient.Answer dry = anna.post("/orders", rewind.formatted(lane, true, version));
        assertThat(dry.status()).isEqualTo(200);
        JsonNode effect = dry.json().get("lanes").get(0);
        assertThat(effect.get("lane").stringValue()).isEqualTo(lane);
        assertThat(effect.get("from").get(lane).longValue()).isEqualTo(ends(0));
        assertThat(effect.get("to").get(lane).longValue()).isEqualTo(5);
        assertThat(version()).isEqualTo(version);
        assertThat(positions()).containsExactly(ends(0), ends(1));

        EndpointClient.Answer done = anna.post("/orders", rewind.formatted(lane, false, version));
        assertThat(done.status()).isEqualTo(200);
        assertThat(done.json().get("lanes")).isEqualTo(dry.json().get("lanes"));
        assertThat(done.json().get("status").stringValue()).isEqualTo("done");
        assertThat(done.json().get("version").longValue()).isEqualTo(version + 1);
        awaitCaughtUp();
        assertThat(jdbc.queryForList("select * from seen").size() - seen).isEqualTo((int) (ends(0) - 5));
        assertThat(jdbc.queryForList(
                        "select off from seen where part = 0 group by off having count(*) > 1 order by off",
                        Long.class))
                .startsWith(5L);

        long id = done.json().get("id").longValue();
        assertThat(jdbc.queryForMap(
                        "select action, issued_by, reason, status, dry_run from tandem.operator_command where id = ?",
                        id))
                .containsEntry("action", "rewind")
                .containsEntry("issued_by", "anna")
                .containsEntry("reason", "prices were wrong")
                .containsEntry("status", "done")
                .containsEntry("dry_run", false);
        assertThat(endpoint.get("/orders/commands/" + id).json()).isEqualTo(done.json());
        JsonNode history = endpoint.get("/orders/commands?limit=1").json();
        assertThat(history.get("commands").get(0)).isEqualTo(done.json());
        assertThat(history.get("next").longValue()).isEqualTo(id);
        assertThat(endpoint.get("/orders/commands?limit=1&after=" + id).json().get("commands"))
                .doesNotContain(done.json());
    }

    @Test
    void lanesArePausedAndStoppedAndGoOn() {
        assertThat(command("pause", lane).status()).isEqualTo(200);
        assertThat(state(lane)).isEqualTo("paused");
        JsonNode lanes = endpoint.get("/orders").json().get("lanes");
        assertThat(lanes.get("active").intValue()).isEqualTo(1);
        assertThat(lanes.get("paused").intValue()).isEqualTo(1);
        assertThat(command("resume", lane).status()).isEqualTo(200);
        assertThat(state(lane)).isEqualTo("active");
        assertThat(command("stop", null).status()).isEqualTo(200);
        assertThat(endpoint.get("/orders").json().get("stopped").booleanValue()).isTrue();
        assertThat(command("start", null).status()).isEqualTo(200);
        assertThat(endpoint.get("/orders").json().get("stopped").booleanValue()).isFalse();
    }

    @Test
    void whoCommandsIsWhoLoggedInOrWhoTheySay() {
        String all = "\"lane\":\"*\",\"dryRun\":false,\"expectedVersion\":\"any\"";
        String pause = "{\"action\":\"pause\"," + all + ",\"issuedBy\":\"%s\"}";
        String resume = "{\"action\":\"resume\"," + all + "}";
        assertThat(anna.post("/orders", pause.formatted("somebody else")).status())
                .isEqualTo(200);
        assertThat(endpoint.post("/orders", resume).status()).isEqualTo(200);
        assertThat(endpoint.post("/orders", pause.formatted("bob")).status()).isEqualTo(200);
        assertThat(endpoint.post("/orders", resume).status()).isEqualTo(200);
        assertThat(jdbc.queryForList(
                        "select issued_by from (select id, issued_by from tandem.operator_command order by id desc limit 4) c"
                                + " order by id",
                        String.class))
                .containsExactly("anna", "actuator", "bob", "actuator");
    }

    @Test
    void theSecondOfTwoOperatorsIsToldOfTheFirst() {
        long seen = version();
        String pause = "{\"action\":\"pause\",\"lane\":\"*\",\"dryRun\":false,\"expectedVersion\":" + seen + "}";
        assertThat(anna.post("/orders", pause).status()).isEqualTo(200);
        EndpointClient.Answer second = endpoint.post("/orders", pause);
        assertThat(second.status()).isEqualTo(409);
        assertThat(second.message()).contains("anna", "pause");
        assertThat(version()).isEqualTo(seen + 1);
        assertThat(command("resume", null).status()).isEqualTo(200);
    }

    @Test
    void whatCantBeDoneIsRefusedAndChangesNothing() {
        long commands = number("select count(*) from tandem.operator_command");
        String all = "\"lane\":\"*\",\"dryRun\":false,\"expectedVersion\":\"any\"";
        List<String> refused = List.of(
                "{}",
                "{\"action\":\"destroy\"," + all + "}",
                "{\"action\":\"pause\"," + all + ",\"batch\":3}",
                "{\"action\":\"pause\",\"lane\":\"*\",\"dryRun\":false,\"expectedVersion\":\"newest\"}",
                "{\"action\":\"restored\",\"lane\":\"" + lane + "\",\"dryRun\":false,\"expectedVersion\":\"any\"}",
                "{\"action\":\"rewind\"," + all + "}",
                "{\"action\":\"rewind\"," + all + ",\"batch\":0,\"timestamp\":\"2026-01-31T00:00:00Z\"}",
                "{\"action\":\"rewind\"," + all + ",\"batch\":0}",
                "{\"action\":\"rewind\"," + all + ",\"timestamp\":\"yesterday\"}",
                "{\"action\":\"rewind\"," + all + ",\"offsets\":\"" + lane + "\"}",
                "{\"action\":\"rewind\"," + all + ",\"offsets\":\"" + lane + "=1000000\"}",
                "{\"action\":\"rewind\"," + all + ",\"offsets\":\"elsewhere-0=1\"}",
                "{\"action\":\"skip\"," + all + ",\"offsets\":\"" + lane + "=1000000\"}",
                "{\"action\":\"discard\"," + all + ",\"causeClass\":\"*\",\"parkedBefore\":\"*\"}",
                "{\"action\":\"discard\"," + all + ",\"ids\":\"1\",\"causeClass\":\"*\",\"parkedBefore\":\"*\","
                        + "\"reason\":\"test\"}",
                "{\"action\":\"redrive\"," + all + ",\"ids\":\"first\"}",
                "{\"action\":\"redrive\"," + all + ",\"ids\":\",\"}");
        for (String command : refused) {
            EndpointClient.Answer answer = endpoint.post("/orders", command);
            assertThat(answer.status()).as(command + " " + answer.text()).isEqualTo(400);
            assertThat(answer.message()).as(command).isNotBlank();
        }
        assertThat(endpoint.get("/orders/batches?limit=1001").status()).isEqualTo(400);
        assertThat(endpoint.get("/orders/batches?record=7").status()).isEqualTo(400);
        assertThat(endpoint.get("/orders/starts?from=beginning").message()).contains("group:<group id>");
        assertThat(number("select count(*) from tandem.operator_command")).isEqualTo(commands);
    }

    /** Names of parameters that don't exist aren't seen. So each of these says less than was meant. */
    @Test
    void aMisspeltParameterIsRefusedAndNeverWidensACommand() {
        long commands = number("select count(*) from tandem.operator_command");
        String any = "\"dryRun\":false,\"expectedVersion\":\"any\",\"reason\":\"test\"";
        Map<String, String> toAdd = Map.of(
                "{\"action\":\"stop\",\"lnae\":\"" + lane + "\"," + any + "}",
                "lane",
                "{\"action\":\"rewind\",\"lnae\":\"" + lane + "\",\"timestamp\":\"2026-01-31T00:00:00Z\"," + any + "}",
                "lane",
                "{\"action\":\"pause\",\"lane\":\"*\",\"dryrun\":true,\"expectedVersion\":\"any\"}",
                "dryRun",
                "{\"action\":\"pause\",\"lane\":\"*\",\"dryRun\":false,\"expectedVerison\":1}",
                "expectedVersion",
                "{\"action\":\"restored\",\"dryRun\":false,\"expectedVerison\":1}",
                "expectedVersion",
                "{\"action\":\"discard\",\"lnae\":\"" + lane + "\",\"causeClass\":\"*\",\"parkedBefore\":\"*\"," + any
                        + "}",
                "lane",
                "{\"action\":\"discard\",\"lane\":\"*\",\"causeClas\":\"a\",\"parkedBefore\":\"2026-01-31T00:00:00Z\","
                        + any + "}",
                "causeClass",
                "{\"action\":\"discard\",\"lane\":\"*\",\"causeClass\":\"a\",\"parkedbefore\":\"2026-01-31T00:00:00Z\","
                        + any + "}",
                "parkedBefore",
                "{\"action\":\"redrive\",\"lane\":\"*\",\"id\":1," + any + "}",
                "ids");
        toAdd.forEach((command, parameter) -> {
            EndpointClient.Answer answer = anna.post("/orders", command);
            assertThat(answer.status()).as(command + " " + answer.text()).isEqualTo(400);
            assertThat(answer.message()).as(command).contains(parameter);
        });
        assertThat(number("select count(*) from tandem.operator_command")).isEqualTo(commands);
    }

    @Test
    void aCommandThatWaitsForALockTooLongIsToldSo() throws SQLException {
        long version = version();
        try (Connection holder = database.getConnection();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("select from tandem.stream for update");
            EndpointClient.Answer answer = command("pause", lane);
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.message()).contains("Somebody holds a lock", "try again");
        }
        assertThat(version()).isEqualTo(version);
        assertThat(command("pause", lane).status()).isEqualTo(200);
    }

    @Test
    void whatIsntThereIsNotFound() {
        for (String path : List.of(
                "/payments",
                "/payments/lanes",
                "/orders/states",
                "/orders/lanes/elsewhere-0",
                "/orders/batches?lane=elsewhere-0",
                "/orders/batches?record=elsewhere-0@7",
                "/orders/batches/0",
                "/orders/dead-letters/999999",
                "/orders/dead-letters/first",
                "/orders/commands/999999")) {
            EndpointClient.Answer answer = endpoint.get(path);
            assertThat(answer.status()).as(path).isEqualTo(404);
            assertThat(answer.message()).as(path).isNotBlank();
        }
        assertThat(endpoint.post("/payments", "{\"action\":\"pause\",\"lane\":\"*\",\"dryRun\":true}")
                        .status())
                .isEqualTo(404);
        assertThat(command("pause", "elsewhere-0").message()).contains("elsewhere-0");
        assertThat(command("pause", "elsewhere-0").status()).isEqualTo(404);
    }

    @Test
    void deadLettersAreShownToThoseWhoMayAndRedrivenAndDiscarded(CapturedOutput output) {
        for (int i = 0; i < 3; i++) {
            sendBad();
        }
        App.await().until(() -> number("select count(*) from tandem.dead_letter where status = 'parked'") == 3);
        List<Long> ids =
                jdbc.queryForList("select id from tandem.dead_letter where status = 'parked' order by id", Long.class);

        EndpointClient.Answer shown = anna.get("/orders/dead-letters");
        assertThat(shown.contentType()).startsWith("application/vnd.spring-boot.actuator.v3+json");
        JsonNode payload = shown.json().get("deadLetters").get(0).get("payload");
        assertThat(payload.get("key").get("text").stringValue()).isEqualTo(OrdersApplication.SCRIPT.formatted("key"));
        assertThat(payload.get("value").get("text").stringValue())
                .isEqualTo("bad s3cret " + OrdersApplication.SCRIPT.formatted("value"));
        assertThat(payload.get("headers").get(0).get("value").get("text").stringValue())
                .isEqualTo(OrdersApplication.SCRIPT.formatted("header"));
        assertThat(payload.get("headers").get(1).get("value").toString()).isEqualTo("{\"base64\":\"/wA=\"}");
        assertThat(payload.get("message").stringValue())
                .isEqualTo("can't do " + OrdersApplication.SCRIPT.formatted("cause"));
        assertThat(anna.get("/orders/dead-letters/" + ids.get(0)).json())
                .isEqualTo(shown.json().get("deadLetters").get(0));

        for (String path : List.of("/orders/dead-letters", "/orders/dead-letters/" + ids.get(0))) {
            EndpointClient.Answer hidden = endpoint.get(path);
            assertThat(hidden.status()).isEqualTo(200);
            assertThat(hidden.text())
                    .contains("java.lang.IllegalArgumentException", "\"offset\"")
                    .doesNotContain("s3cret", "script", "payload", "stackTrace");
        }
        JsonNode page = endpoint.get("/orders/dead-letters?limit=2").json();
        assertThat(page.get("deadLetters").size()).isEqualTo(2);
        assertThat(page.get("next").longValue()).isEqualTo(ids.get(1));
        page = endpoint.get("/orders/dead-letters?limit=2&after=" + ids.get(1)).json();
        assertThat(page.get("deadLetters").size()).isEqualTo(1);
        assertThat(page.has("next")).isFalse();

        String letters = "{\"action\":\"%s\",\"ids\":\"%s\",\"dryRun\":%s,"
                + "\"expectedVersion\":\"any\",\"reason\":\"test data\"}";
        assertThat(anna.post("/orders", letters.formatted("discard", ids.get(0), true))
                        .json()
                        .get("deadLetters")
                        .intValue())
                .isEqualTo(1);
        assertThat(status(ids.get(0))).isEqualTo("parked");
        anna.post("/orders", letters.formatted("discard", ids.get(0), false));
        assertThat(status(ids.get(0))).isEqualTo("discarded");

        EndpointClient.Answer again =
                endpoint.post("/orders", letters.formatted("redrive", ids.get(1) + "," + ids.get(2), false));
        assertThat(again.json().get("status").stringValue()).isEqualTo("failed");
        assertThat(again.text()).contains("IllegalArgumentException").doesNotContain("can't do", "script");

        jdbc.update("update handler set mended = true");
        EndpointClient.Answer redriven = anna.post(
                "/orders",
                "{\"action\":\"redrive\",\"lane\":\"*\",\"causeClass\":\"*\",\"parkedBefore\":\"*\",\"dryRun\":false,"
                        + "\"expectedVersion\":\"any\"}");
        assertThat(redriven.json().get("deadLetters").intValue()).isEqualTo(2);
        assertThat(redriven.json().get("status").stringValue()).isEqualTo("done");
        assertThat(List.of(status(ids.get(1)), status(ids.get(2)))).containsOnly("redriven");
        jdbc.update("update handler set mended = false");

        assertThat(output).doesNotContain("s3cret").doesNotContain("letmein");
    }

    @Test
    void tellsWhereAMoveFromAGroupWouldStart() {
        JsonNode starts = endpoint.get("/orders/starts").json().get("starts");
        assertThat(starts.get(0).get("stored").booleanValue()).isTrue();
        assertThat(starts.get(0).get("start").get(lane).longValue()).isEqualTo(ends(0));
        assertThat(starts.get(0).get("ahead").longValue()).isZero();
        assertThat(endpoint.get("/orders/starts?from=group:some-listener").status())
                .isEqualTo(200);
    }

    private void sendBad() {
        ProducerRecord<byte[], byte[]> bad = new ProducerRecord<>(
                topic,
                1,
                bytes(OrdersApplication.SCRIPT.formatted("key")),
                bytes("bad s3cret " + OrdersApplication.SCRIPT.formatted("value")));
        bad.headers()
                .add(new RecordHeader("trace", bytes(OrdersApplication.SCRIPT.formatted("header"))))
                .add(new RecordHeader("binary", new byte[] {(byte) 0xff, 0}));
        broker.write(List.of(bad));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private EndpointClient.Answer command(String action, String ofLane) {
        return anna.post(
                "/orders",
                "{\"action\":\"%s\",\"lane\":\"%s\",\"dryRun\":false,\"expectedVersion\":\"any\"}"
                        .formatted(action, ofLane == null ? "*" : ofLane));
    }

    private long version() {
        return number("select version from tandem.stream");
    }

    private String state(String ofLane) {
        return jdbc.queryForObject("select state from tandem.lane where lane = ?", String.class, ofLane);
    }

    private String status(long letter) {
        return jdbc.queryForObject("select status from tandem.dead_letter where id = ?", String.class, letter);
    }

    private long number(String sql, Object... arguments) {
        Long number = jdbc.queryForObject(sql, Long.class, arguments);
        return number == null ? 0 : number;
    }
}
