package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.test.KafkaBroker;
import io.github.tandemstreams.test.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;

/** What {@code docs/operations.md} says to do is done, from top to bottom: all of its SQL, and all of its calls. */
class OperationsGuideTest {

    private static final Path GUIDE = Path.of("..", "docs", "operations.md");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```(sql|sh)\n(.*?)^ *```$");
    private static final Pattern EXPECTED_VERSION = Pattern.compile("(?<=\"expectedVersion\": |\"}', )7\\b");
    private static final Pattern CALL = Pattern.compile(
            "curl '?localhost:8080/actuator/tandem([^' ]*)'?(?: -H 'Content-Type: application/json' -d '(.*)')?");

    private final KafkaBroker broker = KafkaBroker.shared();
    private final PGSimpleDataSource database = PostgresServer.newDatabase();
    private final JdbcTemplate jdbc = new JdbcTemplate(database);
    private final String topic = broker.newTopic(4);

    /** A block of the guide. */
    private record Block(String language, String text) {}

    @Test
    void allThatTheGuideSaysCanBeDone() throws IOException {
        broker.send(topic, 2, 0, 1150);
        broker.send(topic, 3, 0, 1250);
        List<Block> blocks = blocks();
        int commands = 0;
        try (ConfigurableApplicationContext application = App.of(Flights.class)
                .withoutJpa()
                .on(database)
                .on(broker)
                .with(
                        "server.port=0",
                        "management.endpoints.web.exposure.include=tandem",
                        "management.endpoint.tandem.access=unrestricted",
                        "tandem.streams.flights.topics=" + topic,
                        "tandem.streams.flights.max-records-per-batch=25")
                .startAs(WebApplicationType.SERVLET)) {
            App.await().until(this::isCaughtUp);
            EndpointClient endpoint = EndpointClient.of(application);
            for (Block block : blocks) {
                String text = withVersion(block.text());
                boolean isCommand = block.language().equals("sql") ? query(text) : call(endpoint, text);
                commands += isCommand ? 1 : 0;
                if (isCommand) {
                    App.await().until(() -> isSettled() && (isPaused() || isCaughtUp()));
                }
            }
            App.await().until(this::isCaughtUp);
        }
        assertThat(commands).isGreaterThan(20);
        assertThat(jdbc.queryForList(
                        "select expected_version from tandem.operator_command"
                                + " where action = 'rewind' and not dry_run",
                        Long.class))
                .as("versions that rewinds in earnest expected")
                .hasSize(2)
                .doesNotContainNull();
        assertThat(jdbc.queryForList("select status from tandem.operator_command", String.class))
                .hasSize(commands)
                .containsOnly("done");
    }

    /** They speak of a topic of the stream's name. */
    private List<Block> blocks() throws IOException {
        List<Block> blocks = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(GUIDE));
        while (block.find()) {
            blocks.add(new Block(
                    block.group(1),
                    block.group(2)
                            .replace("flights-", topic + "-")
                            .replace("'flights', 'flights'", "'flights', '" + topic + "'")));
        }
        assertThat(blocks).hasSizeGreaterThan(30);
        return blocks;
    }

    /** They expect an example of a version, instead of the one that the look before told. */
    private String withVersion(String text) {
        return EXPECTED_VERSION
                .matcher(text)
                .replaceAll(example ->
                        String.valueOf(jdbc.queryForObject("select version from tandem.stream", Long.class)));
    }

    private boolean query(String sql) {
        jdbc.execute(sql);
        return sql.contains("insert into tandem.operator_command");
    }

    private static boolean call(EndpointClient endpoint, String text) {
        String line = text.replaceAll("\\\\\n *", "").strip();
        Matcher call = CALL.matcher(line);
        assertThat(call.matches()).as(line).isTrue();
        boolean isCommand = call.group(2) != null;
        EndpointClient.Answer answer =
                isCommand ? endpoint.post(call.group(1), call.group(2)) : endpoint.get(call.group(1));
        assertThat(answer.status()).as(line + " " + answer.text()).isEqualTo(200);
        return isCommand;
    }

    private boolean isSettled() {
        return jdbc.queryForList("select id from tandem.operator_command where status = 'pending'")
                .isEmpty();
    }

    private boolean isPaused() {
        return !jdbc.queryForList("select lane from tandem.lane where state = 'paused'")
                .isEmpty();
    }

    private boolean isCaughtUp() {
        return jdbc.queryForList("select next_offset from tandem.lane_position order by partition", Long.class)
                .equals(List.of(0L, 0L, 1150L, 1250L));
    }

    @EnableAutoConfiguration
    @Import({Flights.Handler.class, OrdersApplication.ServletSecurity.class})
    static class Flights {

        static class Handler {
            @ForeachBatch("flights")
            void handle(Batch<byte[]> batch) {}
        }
    }
}
