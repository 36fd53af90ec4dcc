package io.github.tandemstreams.torture.faults;

import io.github.tandemstreams.torture.input.Producers;
import io.github.tandemstreams.torture.process.Await;
import io.github.tandemstreams.torture.process.Story;
import io.github.tandemstreams.torture.servers.Cluster;
import io.github.tandemstreams.torture.servers.CuttingProxy.Cut;
import io.github.tandemstreams.torture.servers.Postgres;
import java.time.Duration;
import java.util.Random;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Faults of Postgres, of the broker and of what is between.
 *
 * <p>Threading: one thread for Postgres, one for the broker, one for the proxy.
 */
final class ServerFaults {

    private static final String TERMINATE = """
            select count(*)
              from (select pg_terminate_backend(pid)
                      from pg_stat_activity
                     where usename = ? and (? or state like '%in transaction%')) terminated
            """;

    /** For something to be hit. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** That one fault of this kind cuts. Many are those of claims and plans. */
    private static final int COMMITS = 3;

    private final Cluster cluster;
    private final Producers producers;
    private final Story story;
    private final JdbcTemplate jdbc;
    private final Random random;
    private int partitions = Cluster.PARTITIONS;

    ServerFaults(Cluster cluster, Producers producers, Story story, long seed) {
        this.cluster = cluster;
        this.producers = producers;
        this.story = story;
        this.jdbc = cluster.jdbc();
        this.random = new Random(seed);
    }

    /** Ends sessions, if there are any. */
    boolean terminate(Fault fault) {
        Integer ended = Await.firstOf(
                PATIENCE,
                () -> jdbc.queryForObject(TERMINATE, Integer.class, Postgres.APPLICATION, fault.variant()),
                sessions -> sessions > 0);
        story.tell("postgres: pg_terminate_backend of %s sessions", ended == null ? "no" : ended);
        return ended != null;
    }

    void crash(Fault fault) {
        story.tell("postgres: immediate stop");
        cluster.postgres().crash();
        Await.pause(Duration.ofMillis((long) (fault.amount() * 2_000)));
        cluster.postgres().start();
        story.tell("postgres: is back");
    }

    void restart(Fault fault) {
        story.tell("broker: %s", fault.variant() ? "stops" : "SIGKILL");
        cluster.broker().restart(fault.variant());
        story.tell("broker: is back");
    }

    void addPartition() {
        partitions++;
        cluster.broker().addPartitions(Cluster.TOPIC, partitions);
        producers.grow(partitions);
        story.tell("broker: the topic has %d partitions", partitions);
    }

    /** Cuts connections, if there are any. */
    boolean cut(Fault fault) {
        Integer cut = Await.firstOf(
                PATIENCE, () -> cluster.proxy().cut(fault.amount(), random), connections -> connections > 0);
        story.tell("proxy: cuts %s connections", cut == null ? "no" : cut);
        return cut != null;
    }

    /** Cuts in the next few COMMITs, if there are any within a while. */
    boolean cutCommits(Fault fault) {
        int before = cluster.proxy().commitCuts();
        Cut cut = fault.variant() ? Cut.BEFORE : Cut.AFTER;
        for (int i = 1; i <= COMMITS; i++) {
            int wanted = before + i;
            cluster.proxy().arm(cut);
            Await.holds(PATIENCE, () -> cluster.proxy().commitCuts() >= wanted);
        }
        cluster.proxy().disarm();
        int hit = cluster.proxy().commitCuts() - before;
        story.tell("proxy: cut %d connections %s a COMMIT", hit, cut);
        return hit > 0;
    }
}
