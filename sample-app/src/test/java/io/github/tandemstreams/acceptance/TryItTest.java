package io.github.tandemstreams.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The sample as somebody tries it by hand: its page, its trouble, and the actuator's endpoint. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class TryItTest {

    private static final Pattern PAGE = Pattern.compile("The worst airports: (http://localhost:\\d+)/");

    private final JsonMapper json = new JsonMapper();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Run run = new Run("try-it", 2);
    private SampleProcess sample;
    private String site;

    @BeforeEach
    void start() {
        sample = run.start(
                "--spring.main.web-application-type=servlet",
                "--server.port=0",
                "--sample.publish=generate",
                "--sample.rate=500",
                "--spring.kafka.producer.properties.linger.ms=5");
        run.awaitOf(
                sample,
                "the page's address",
                () -> PAGE.matcher(sample.output()).find());
        Matcher address = PAGE.matcher(sample.output());
        assertThat(address.find()).isTrue();
        site = address.group(1);
        run.awaitOf(sample, "flights", () -> run.committed() > 100);
    }

    @AfterEach
    void close() {
        run.close();
    }

    @Test
    void thePageShowsTheWorstAirportsAsTheyStandInPostgres() throws Exception {
        HttpResponse<String> page = get("/");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("Content-Security-Policy", "<h1>Worst airports</h1>");
        assertThat(get("/airports.js").body()).doesNotContain("innerHTML");

        assertThat(post(
                                "/actuator/tandem/flights",
                                "{\"action\":\"pause\",\"lane\":\"*\",\"dryRun\":false,\"expectedVersion\":\"any\"}")
                        .statusCode())
                .isEqualTo(200);
        JsonNode airports = json.readTree(get("/airports").body());
        assertThat(airports.size()).isEqualTo(10);
        assertThat(airports.get(0).get("origin").stringValue())
                .isEqualTo(run.jdbc()
                        .queryForObject(
                                "select origin from airport_delay order by 1.0 * total_delay / flights desc, origin limit 1",
                                String.class));
        assertThat(run.jdbc().queryForList("select distinct state from tandem.lane", String.class))
                .containsExactly("paused");
    }

    @Test
    void badRecordsBecomeDeadLettersAndASlowHandlerTakesItsTime() throws Exception {
        HttpResponse<String> applied = post("/trouble", "{\"badRecords\":0.05,\"slowMillis\":150}");
        assertThat(applied.body()).isEqualTo("{\"badRecords\":0.05,\"slowMillis\":150}");

        run.awaitOf(
                sample,
                "dead letters of both kinds",
                () -> run.jdbc()
                                .queryForList("select distinct cause_class from tandem.dead_letter")
                                .size()
                        > 1);
        run.awaitOf(
                sample,
                "a slow batch",
                () -> run.count(
                                "select count(*) from tandem.stream_progress where stream = ? and handler_ms >= 150",
                                "flights")
                        > 0);
        assertThat(json.readTree(get("/actuator/tandem/flights/dead-letters").body())
                        .get("deadLetters")
                        .get(0)
                        .get("payload")
                        .get("value")
                        .get("text")
                        .stringValue())
                .startsWith("{");

        assertThat(post("/trouble", "{\"badRecords\":2,\"slowMillis\":0}").statusCode())
                .isEqualTo(400);
        assertThat(post("/trouble", "{\"badRecords\":0,\"slowMillis\":0}").statusCode())
                .isEqualTo(200);
        assertThat(json.readTree(get("/trouble").body()).get("slowMillis").intValue())
                .isZero();
    }

    @Test
    void aFormOfAnotherSiteCanNeitherCommandNorMakeTrouble() throws Exception {
        for (String path : new String[] {"/trouble", "/actuator/tandem/flights"}) {
            HttpRequest form = HttpRequest.newBuilder(URI.create(site + path))
                    .header("Content-Type", "text/plain")
                    .header("Origin", "https://elsewhere.example")
                    .POST(
                            HttpRequest.BodyPublishers.ofString(
                                    "{\"action\":\"stop\",\"lane\":\"*\",\"dryRun\":false,\"expectedVersion\":\"any\",\"badRecords\":1}"))
                    .build();
            assertThat(client.send(form, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(415);
        }
        assertThat(json.readTree(get("/trouble").body()).get("badRecords").doubleValue())
                .isZero();
        assertThat(run.jdbc().queryForList("select id from tandem.operator_command"))
                .isEmpty();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(site + path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(site + path))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
