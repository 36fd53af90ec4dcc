package io.github.tandemstreams.dashboard;

import io.github.tandemstreams.test.KafkaBroker;
import io.github.tandemstreams.test.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** An application as a user has it, with a stream of orders and the dashboard, on a real Postgres and a real broker. */
final class DashboardApp implements AutoCloseable {

    private static final String SECURITY = "org.springframework.boot.security.autoconfigure.";

    /** As if Spring Security weren't there. */
    static final String WITHOUT_SECURITY = "spring.autoconfigure.exclude="
            + String.join(
                    ",",
                    SECURITY + "SecurityAutoConfiguration",
                    SECURITY + "UserDetailsServiceAutoConfiguration",
                    SECURITY + "ReactiveUserDetailsServiceAutoConfiguration",
                    SECURITY + "web.servlet.SecurityFilterAutoConfiguration",
                    SECURITY + "web.servlet.ServletWebSecurityAutoConfiguration",
                    SECURITY + "web.reactive.ReactiveWebSecurityAutoConfiguration");

    final KafkaBroker broker = KafkaBroker.shared();
    final String topic = broker.newName("orders");
    final JdbcTemplate database;
    final ConfigurableApplicationContext context;

    private DashboardApp(WebApplicationType type, Class<?> configuration, String... properties) {
        broker.createTopic(topic, 2);
        PGSimpleDataSource postgres = PostgresServer.newDatabase();
        database = new JdbcTemplate(postgres);
        database.execute("create table orders (partition int, record_offset bigint)");
        context = new SpringApplicationBuilder(configuration)
                .web(type)
                .registerShutdownHook(false)
                .run(Stream.concat(
                                Stream.of(
                                        "server.port=0",
                                        "server.address=127.0.0.1",
                                        "spring.main.banner-mode=off",
                                        "spring.lifecycle.timeout-per-shutdown-phase=10s",
                                        "spring.datasource.url=" + postgres.getUrl(),
                                        "spring.datasource.username=" + postgres.getUser(),
                                        "spring.datasource.password=" + postgres.getPassword(),
                                        "spring.kafka.bootstrap-servers=" + broker.bootstrapServers(),
                                        "spring.kafka.consumer.heartbeat-interval=200ms",
                                        "spring.kafka.properties[session.timeout.ms]=6000",
                                        "tandem.streams.orders.topics=" + topic,
                                        "tandem.streams.orders.group-id=" + broker.newName("group"),
                                        "tandem.streams.orders.max-attempts=2",
                                        "tandem.streams.orders.max-records-per-batch=50",
                                        "tandem.streams.orders.backoff.initial=10ms"),
                                Stream.of(properties))
                        .map(property -> "--" + property)
                        .toArray(String[]::new));
    }

    static DashboardApp start(WebApplicationType type, Class<?> configuration, String... properties) {
        return new DashboardApp(type, configuration, properties);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Plain {

        @Bean
        Orders orders(JdbcClient jdbc) {
            return new Orders(jdbc);
        }
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + path);
    }

    /** Writes records to a partition. */
    void send(int partition, byte[]... values) {
        broker.write(Stream.of(values)
                .map(value -> new ProducerRecord<byte[], byte[]>(topic, partition, null, value))
                .toList());
    }

    void send(int partition, String... values) {
        send(
                partition,
                Stream.of(values)
                        .map(value -> value.getBytes(StandardCharsets.UTF_8))
                        .toArray(byte[][]::new));
    }

    String lane(int partition) {
        return topic + "-" + partition;
    }

    /** Rows that the handler has written. */
    int orders() {
        return number("select count(*) from orders");
    }

    int number(String sql) {
        return database.queryForObject(sql, Integer.class);
    }

    /** Commands that were carried out, the oldest first: "action by who". */
    List<String> commands() {
        return database.queryForList(
                "select action || ' by ' || issued_by from tandem.operator_command where not dry_run order by id",
                String.class);
    }

    static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(50));
    }

    Browser browser() {
        return new Browser(null);
    }

    Browser browser(String user) {
        return new Browser(user);
    }

    @Override
    public void close() {
        context.close();
    }

    /** What a browser sends, with cookies. The password of each user is the name. */
    final class Browser {

        private final HttpClient client =
                HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
        private final Map<String, String> headers = new TreeMap<>();

        private Browser(String user) {
            if (user != null) {
                headers.put(
                        "Authorization", "Basic " + Base64.getEncoder().encodeToString((user + ":" + user).getBytes()));
            }
        }

        /** The same browser, sending one header more, or another value of one. */
        Browser with(String header, String value) {
            headers.put(header, value);
            return this;
        }

        Browser without(String header) {
            headers.remove(header);
            return this;
        }

        HttpResponse<String> get(String path) {
            return exchange("GET", path, "");
        }

        HttpResponse<String> exchange(String method, String path, String body) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(uri(path)).method(method, HttpRequest.BodyPublishers.ofString(body));
            headers.forEach(request::header);
            try {
                return client.send(request.build(), BodyHandlers.ofString());
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }

        /** Gives a command as the page does. */
        HttpResponse<String> command(String json) {
            return with("Content-Type", "application/json")
                    .with("X-Tandem-Dashboard", "command")
                    .exchange("POST", "/tandem/api/commands", json);
        }

        /** The same with the token against cross-site requests, sent as the session says. */
        HttpResponse<String> command(String json, JsonNode csrf) {
            String token = csrf.get("token").asString();
            if (csrf.get("parameter").isNull()) {
                return with(csrf.get("header").asString(), token).command(json);
            }
            return with("Content-Type", "application/json")
                    .with("X-Tandem-Dashboard", "command")
                    .exchange(
                            "POST",
                            "/tandem/api/commands?" + csrf.get("parameter").asString() + "="
                                    + URLEncoder.encode(token, StandardCharsets.UTF_8),
                            json);
        }
    }
}
