package io.github.tandemstreams.sample;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Says at the start where everything is. */
@Component
@Order(0)
class WhereItRuns implements ApplicationRunner {

    private static final Logger log = LoggerFactory.getLogger(WhereItRuns.class);

    private final KafkaConnectionDetails kafka;
    private final ObjectProvider<JdbcConnectionDetails> database;
    private final Environment environment;

    WhereItRuns(KafkaConnectionDetails kafka, ObjectProvider<JdbcConnectionDetails> database, Environment environment) {
        this.kafka = kafka;
        this.database = database;
        this.environment = environment;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        JdbcConnectionDetails details = database.getIfAvailable();
        log.info(
                "Kafka: {}   Postgres: {}",
                String.join(",", kafka.getConsumer().getBootstrapServers()),
                details == null ? "none, publisher only" : details.getJdbcUrl());
        String port = environment.getProperty("local.server.port");
        if (port != null) {
            log.info("The worst airports: http://localhost:{}/", port);
        }
    }
}
