package io.github.tandemstreams.sample;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.stereotype.Component;

/**
 * Ends the process when everything published is committed. Other instances may hold lanes too, so it asks Postgres, not
 * this instance's streams.
 */
@Component
@ConditionalOnBooleanProperty("sample.exit-when-caught-up")
class ExitWhenCaughtUp implements ApplicationRunner {

    private static final Logger log = LoggerFactory.getLogger(ExitWhenCaughtUp.class);

    private final ConfigurableApplicationContext context;
    private final FlightPublisher publisher;
    private final KafkaAdmin kafka;
    private final ObjectProvider<Tables> tables;
    private final ObjectProvider<JdbcTemplate> jdbc;

    ExitWhenCaughtUp(
            ConfigurableApplicationContext context,
            FlightPublisher publisher,
            KafkaAdmin kafka,
            ObjectProvider<Tables> tables,
            ObjectProvider<JdbcTemplate> jdbc) {
        this.context = context;
        this.publisher = publisher;
        this.kafka = kafka;
        this.tables = tables;
        this.jdbc = jdbc;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        new Thread(this::exitWhenDone, "exit-when-caught-up").start();
    }

    private void exitWhenDone() {
        int code = 1;
        try {
            publisher.published().join();
            Map<String, Long> ends = FlightTopic.ends(kafka);
            JdbcTemplate database = jdbc.getIfAvailable();
            if (tables.getIfAvailable() != null && database != null) {
                while (!isCaughtUp(database, ends)) {
                    TimeUnit.MILLISECONDS.sleep(100);
                }
                tables.getObject().summary().forEach(line -> log.info("{}", line));
            }
            code = 0;
        } catch (InterruptedException | ExecutionException | RuntimeException failure) {
            log.error("Can't tell whether everything is committed", failure);
        }
        int exitCode = code;
        System.exit(SpringApplication.exit(context, () -> exitCode));
    }

    private static boolean isCaughtUp(JdbcTemplate database, Map<String, Long> ends) {
        Map<String, Long> positions = new HashMap<>();
        database.query(
                "SELECT partition, next_offset FROM tandem.lane_position WHERE stream = ?",
                row -> {
                    positions.put(row.getString(1), row.getLong(2));
                },
                FlightTopic.NAME);
        return ends.entrySet().stream().allMatch(end -> positions.getOrDefault(end.getKey(), 0L) >= end.getValue());
    }
}
