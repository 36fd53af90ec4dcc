package io.github.tandemstreams.torture.faults;

import io.github.tandemstreams.torture.process.Await;
import io.github.tandemstreams.torture.process.Story;
import io.github.tandemstreams.torture.servers.Application;
import io.github.tandemstreams.torture.servers.Cluster;
import java.time.Duration;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Faults of one application, and its supervisor: a process that ends is started again.
 *
 * <p>Threading: one thread for each application.
 */
final class ApplicationFaults {

    /** Longer than the session time-out of 6 s: its lanes are given away. */
    private static final Duration SHORTEST_FREEZE = Duration.ofSeconds(8);

    private static final String IN_TRANSACTION = """
            select count(*) from pg_stat_activity where application_name = ? and state = 'idle in transaction'
            """;

    private final Application application;
    private final JdbcTemplate jdbc;
    private final Story story;

    ApplicationFaults(Application application, Cluster cluster, Story story) {
        this.application = application;
        this.jdbc = cluster.jdbc();
        this.story = story;
    }

    void kill(Fault fault) {
        story.tell("%s: SIGKILL of process %d", application.name(), application.pid());
        application.kill();
        startAgain(fault);
    }

    void freeze(Fault fault) {
        Duration duration = SHORTEST_FREEZE.plusMillis((long) (fault.amount() * 4_000));
        story.tell(
                "%s: SIGSTOP of process %d, for %.1f s",
                application.name(), application.pid(), duration.toMillis() / 1000.0);
        application.freeze(() -> !fault.variant() || isInTransaction(), duration);
        story.tell("%s: SIGCONT", application.name());
    }

    void stop(Fault fault) {
        story.tell("%s: SIGTERM to process %d", application.name(), application.pid());
        boolean hadStarted = application.hasStarted();
        if (!application.stop() && hadStarted) {
            story.complain("%s didn't stop in order, see %s", application.name(), lastLog());
        }
        startAgain(fault);
    }

    private void startAgain(Fault fault) {
        Await.pause(Duration.ofMillis((long) (fault.amount() * 2_000)));
        application.start();
    }

    /** Starts a process again that ended by itself: at its start that is allowed, a database that is down has that effect. */
    void supervise() {
        if (!application.isAlive()) {
            if (application.hasStarted()) {
                story.complain("%s ended by itself, see %s", application.name(), lastLog());
            } else {
                story.tell("%s: couldn't start, is started again", application.name());
            }
            application.start();
        }
    }

    private Object lastLog() {
        return application.logs().get(application.logs().size() - 1);
    }

    private boolean isInTransaction() {
        try {
            Integer sessions = jdbc.queryForObject(IN_TRANSACTION, Integer.class, application.name());
            return sessions != null && sessions > 0;
        } catch (DataAccessException down) {
            return false;
        }
    }
}
