package io.github.tandemstreams.torture;

import io.github.tandemstreams.torture.check.Checker;
import io.github.tandemstreams.torture.check.Counts;
import io.github.tandemstreams.torture.check.Evidence;
import io.github.tandemstreams.torture.faults.Fault;
import io.github.tandemstreams.torture.faults.FaultRunner;
import io.github.tandemstreams.torture.faults.Schedule;
import io.github.tandemstreams.torture.faults.Tally;
import io.github.tandemstreams.torture.input.Producers;
import io.github.tandemstreams.torture.input.Visible;
import io.github.tandemstreams.torture.process.Await;
import io.github.tandemstreams.torture.process.Pids;
import io.github.tandemstreams.torture.process.Story;
import io.github.tandemstreams.torture.servers.Application;
import io.github.tandemstreams.torture.servers.Cluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * One run.
 *
 * <pre>
 *   start Postgres, the broker, the applications, the producers
 *   carry out the schedule of faults, while the producers go on
 *   when the last fault is over: more records, then no more
 *   read the topic: it tells what must have been done
 *   wait until as many records are done; stop the applications in order
 *   check
 * </pre>
 */
final class Run {

    private static final Duration START_PATIENCE = Duration.ofMinutes(2);
    private static final Duration TAIL_PATIENCE = Duration.ofMinutes(3);
    private static final Duration DRAIN_PATIENCE = Duration.ofMinutes(4);
    private static final Duration OPEN_PATIENCE = Duration.ofSeconds(20);

    private final Options options;
    private final Pids pids;
    private final Story story;
    private final Report report;

    Run(Options options, Pids pids, Story story, Report report) {
        this.options = options;
        this.pids = pids;
        this.story = story;
        this.report = report;
    }

    void run() throws InterruptedException, ExecutionException {
        List<Fault> schedule = Schedule.of(options.seed(), options.span(), options.rate(), Cluster.APPLICATIONS);
        report.begin(schedule);
        Cluster cluster = new Cluster(pids, options.directory(), options.applicationArguments());
        Counts counts = new Counts(cluster.jdbc());
        Producers producers = new Producers(
                cluster.broker().bootstrapServers(),
                Cluster.TOPIC,
                Cluster.PARTITIONS,
                options.seed(),
                options.poison());
        cluster.applications().forEach(Application::start);
        Await.until(START_PATIENCE, "the applications", () -> allUp(cluster));
        if (options.plant().equals(Options.NO_COMPARE)) {
            dropKeysOfLogs(cluster.jdbc());
        }
        producers.start();
        Await.until(START_PATIENCE, "the first record", () -> counts.done() > 0);
        story.tell("all is up, the faults begin");
        Tally tally;
        long tail;
        List<Visible> topic;
        try (FaultRunner faults = new FaultRunner(cluster, producers, story, options.seed())) {
            tally = faults.run(schedule);
            Await.until(START_PATIENCE, "the applications after the last fault", () -> allUp(cluster));
            tail = feedTail(producers);
            topic = producers.topic();
            drain(counts, topic.size());
            awaitNothingOpen(cluster);
        }
        stopInOrder(cluster);
        List<String> violations = new ArrayList<>(producers.journal().contradictions(topic));
        violations.addAll(
                new Checker(cluster.jdbc()).violations(topic, cluster.broker().groupOffsets(Cluster.GROUP)));
        report.end(tally, counts, producers.journal(), tail, cluster.applications(), violations);
        if (!report.isClean()) {
            new Evidence(cluster.jdbc(), options.directory()).keep();
        }
    }

    private static boolean allUp(Cluster cluster) {
        return cluster.applications().stream().allMatch(Application::isUp);
    }

    /** The keys of the logs fence as well: without them the compare is all that there is. */
    private static void dropKeysOfLogs(JdbcTemplate jdbc) {
        for (String log : List.of("offset_log", "commit_log")) {
            jdbc.execute("alter table tandem." + log + " drop constraint " + log + "_pkey");
            jdbc.execute("create index on tandem." + log + " (stream, lane, batch)");
        }
    }

    /** Records that are produced after the last fault; how many that were. */
    private long feedTail(Producers producers) throws InterruptedException {
        long before = producers.journal().acknowledged();
        story.tell("the last fault is over, %d records so far, %d more follow", before, options.tail());
        producers.hurry();
        Await.until(TAIL_PATIENCE, "the tail", () -> producers.journal().acknowledged() >= before + options.tail());
        producers.stop();
        return producers.journal().acknowledged() - before;
    }

    private void drain(Counts counts, int records) {
        story.tell("the topic holds %d committed records, %d are done", records, counts.done());
        if (!Await.holds(DRAIN_PATIENCE, () -> counts.done() >= records)) {
            story.complain(
                    "%d of %d records are done after %d s; the lanes stand so:%n  %s",
                    counts.done(), records, DRAIN_PATIENCE.toSeconds(), String.join("\n  ", counts.lanes()));
        }
    }

    /** With all applications alive and nothing left to do. */
    private void awaitNothingOpen(Cluster cluster) {
        Checker checker = new Checker(cluster.jdbc());
        if (!Await.holds(OPEN_PATIENCE, () -> checker.leftOpen().isEmpty())) {
            checker.leftOpen().forEach(found -> story.complain("%s", found));
        }
    }

    private void stopInOrder(Cluster cluster) {
        for (Application application : cluster.applications()) {
            if (!application.stop()) {
                story.complain("%s didn't stop in order at the end", application.name());
            }
        }
    }
}
