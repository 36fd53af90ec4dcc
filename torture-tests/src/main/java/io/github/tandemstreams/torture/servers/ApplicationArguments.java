package io.github.tandemstreams.torture.servers;

import java.util.ArrayList;
import java.util.List;

/**
 * The command line of an application: small batches and short times, so that many faults fit into a minute. They differ in
 * what faults hit differently: all but the third have a long transaction time-out, so that they come back from a freeze with
 * their transaction open; all but the first send each COMMIT as text.
 */
record ApplicationArguments(int number, int databasePort, String bootstrapServers, List<String> more) {

    String name() {
        return "app-" + number;
    }

    List<String> all() {
        List<String> all = new ArrayList<>(List.of(
                "--torture.instance=" + name(),
                "--spring.application.name=torture",
                "--spring.main.banner-mode=off",
                "--spring.datasource.url=jdbc:postgresql://127.0.0.1:" + databasePort + "/" + Postgres.DATABASE
                        + "?ApplicationName=" + name() + "&connectTimeout=5&socketTimeout=30"
                        + (number > 1 ? "&prepareThreshold=0" : ""),
                "--spring.datasource.username=" + Postgres.APPLICATION,
                "--spring.datasource.password=" + Postgres.APPLICATION,
                "--spring.datasource.hikari.maximum-pool-size=4",
                "--spring.datasource.hikari.connection-timeout=3000",
                "--spring.kafka.bootstrap-servers=" + bootstrapServers,
                "--spring.kafka.consumer.properties.session.timeout.ms=6000",
                "--spring.kafka.consumer.properties.heartbeat.interval.ms=1000",
                "--spring.kafka.consumer.properties.metadata.max.age.ms=2000",
                "--tandem.streams.torture.topics=" + Cluster.TOPIC,
                "--tandem.streams.torture.group-id=" + Cluster.GROUP,
                "--tandem.defaults.max-records-per-batch=50",
                "--tandem.defaults.backoff.initial=50ms",
                "--tandem.defaults.backoff.max=2s",
                "--tandem.defaults.transaction-timeout=" + (number == 3 ? "5s" : "30s"),
                // Nothing is pruned: the check wants to see every batch.
                "--tandem.defaults.batches-to-retain=1000000000",
                "--logging.level.root=warn",
                "--logging.level.io.github.tandemstreams=debug",
                "--logging.level.org.apache.kafka=warn",
                "--logging.level.org.apache.kafka.clients.consumer.internals=info"));
        all.addAll(more);
        return all;
    }
}
