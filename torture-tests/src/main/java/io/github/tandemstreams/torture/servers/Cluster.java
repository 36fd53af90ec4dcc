package io.github.tandemstreams.torture.servers;

import io.github.tandemstreams.torture.app.Tables;
import io.github.tandemstreams.torture.process.Pids;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.springframework.jdbc.core.JdbcTemplate;

/** All that runs: Postgres behind a proxy, a broker with the topic, and the applications, which aren't started yet. */
public final class Cluster {

    public static final String TOPIC = "torture";
    public static final String GROUP = "torture-group";
    public static final int APPLICATIONS = 3;
    public static final int PARTITIONS = 6;

    private final Postgres postgres;
    private final CuttingProxy proxy;
    private final Broker broker;
    private final List<Application> applications;

    /** Starts the servers. The arguments are those that all applications get. */
    public Cluster(Pids pids, Path directory, List<String> arguments) {
        postgres = new Postgres(pids, directory);
        proxy = new CuttingProxy(postgres.port());
        broker = new Broker(pids, directory);
        broker.createTopic(TOPIC, PARTITIONS);
        JdbcTemplate server = new JdbcTemplate(postgres.database("postgres"));
        server.execute("create role " + Postgres.APPLICATION + " login password '" + Postgres.APPLICATION + "'");
        server.execute("create database " + Postgres.DATABASE + " owner " + Postgres.APPLICATION);
        Tables.create(jdbc());
        applications = IntStream.rangeClosed(1, APPLICATIONS)
                .mapToObj(
                        number -> new ApplicationArguments(number, proxy.port(), broker.bootstrapServers(), arguments))
                .map(all -> new Application(pids, directory, all.name(), all.all()))
                .toList();
    }

    public Postgres postgres() {
        return postgres;
    }

    public CuttingProxy proxy() {
        return proxy;
    }

    public Broker broker() {
        return broker;
    }

    public List<Application> applications() {
        return applications;
    }

    /** The applications' database, past the proxy. */
    public JdbcTemplate jdbc() {
        return new JdbcTemplate(postgres.database());
    }
}
