package io.github.tandemstreams.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.acceptance.faults.CrashPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three processes of one group. In each round one is killed, one is frozen inside its handler until the others have taken its
 * lanes, and one is stopped in order; all come back.
 */
class SeveralInstancesTest {

    private static final int INSTANCES = 3;

    /** What a process says whose batch was taken from it: it lost the compare, or the server had closed its connection. */
    private static final Pattern LOST = Pattern.compile(
            "fenced: somebody else|marked as broken|terminating connection|connection has been closed|I/O error occurred");

    /** The server ends the transaction of a frozen process before it goes on … */
    private static final Duration SHORT = Duration.ofSeconds(5);

    /** … or the process finds out by itself that its lanes are gone. */
    private static final Duration LONG = Duration.ofSeconds(30);

    private final List<Flight> flights = Flights.input().all();
    private final long seed = Counts.seed();
    private final Random random = new Random(seed);

    private final Map<SampleProcess, Duration> timeouts = new HashMap<>();
    private Run run;
    private int kills;
    private int stops;
    private int attempts;
    private int terminations;

    @Test
    @Tag("C10")
    void isExactWhileInstancesAreKilledFrozenAndStopped() throws InterruptedException {
        System.out.println("Several instances: seed " + seed);
        try (Run own = new Run("several", 6);
                Feed feed = Feed.start(own, flights)) {
            run = own;
            List<SampleProcess> instances = new ArrayList<>();
            for (int i = 0; i < INSTANCES; i++) {
                instances.add(newInstance(i == 0 ? LONG : SHORT));
            }
            while (stops < Counts.stops()) {
                for (SampleProcess instance : instances) {
                    run.awaitOf(instance, "lanes for each", () -> lanesOf(instance) > 0);
                }
                Collections.shuffle(instances, random);
                Duration timeout = stops % 2 == 0 ? SHORT : LONG;
                instances.sort(Comparator.comparing(instance -> timeouts.get(instance) != timeout));
                round(instances);
            }
            assertThat(feed.publishRest())
                    .as("flights published after the last round")
                    .isPositive();
            for (SampleProcess instance : instances) {
                run.awaitOf(instance, "all flights", () -> run.committed() >= flights.size());
            }
            instances.forEach(SampleProcess::terminate);
            instances.forEach(SeveralInstancesTest::assertEndedInOrder);
            run.assertExact();
            assertThat(run.leftHandlers(instances.get(0)))
                    .as("attempts whose rows are found, where they were committed")
                    .anySatisfy(attempt -> assertThat(rowsOf(attempt)).isPositive());
            System.out.printf(
                    "Several instances: %d kills, %d stops that hit %d attempts in handlers, %d orderly stops,"
                            + " %d starts, %d lines of fenced batches, %d batches, %d flights%n",
                    kills,
                    stops,
                    attempts,
                    terminations,
                    run.starts(),
                    run.linesWith("fenced: somebody else"),
                    run.ledger().batches(),
                    run.committed());
        }
    }

    /** The first is frozen, the second killed, the third stopped in order. */
    private void round(List<SampleProcess> instances) {
        SampleProcess killed = instances.get(1);
        killed.kill();
        assertThat(killed.exitCode(Run.PATIENCE)).isEqualTo(SampleProcess.KILLED);
        kills++;
        SampleProcess successor = newInstance(timeouts.get(killed));
        instances.set(1, successor);
        run.awaitOf(successor, "lanes for the one that was started again", () -> lanesOf(successor) > 0);

        SampleProcess frozen = instances.get(0);
        List<String> inside = freezeInsideHandler(frozen);
        String before = frozen.output();

        SampleProcess stopped = instances.get(2);
        stopped.terminate();
        instances.set(2, newInstance(timeouts.get(stopped)));

        run.awaitOf(successor, "a take-over of all lanes", () -> lanesOf(frozen) == 0);
        if (timeouts.get(frozen) == SHORT) {
            run.awaitOf(successor, "the server to end what was begun", () -> areAborted(inside));
        }
        assertThat(run.insideHandlers(frozen)).as("where it was frozen").isEqualTo(inside);
        frozen.resume();
        run.awaitOf(frozen, "the end of what was begun", () -> areAborted(inside));
        run.awaitOf(
                frozen,
                "a word about it",
                () -> LOST.matcher(frozen.output().substring(before.length())).find());
        assertThat(inside).allSatisfy(attempt -> assertThat(rowsOf(attempt)).isZero());
        stops++;
        attempts += inside.size();
        assertEndedInOrder(stopped);
        terminations++;
    }

    /** Freezes the process while at least one handler is between its two statements; tells their transactions. */
    private List<String> freezeInsideHandler(SampleProcess process) {
        List<String> inside = new ArrayList<>();
        run.awaitOf(process, "a moment inside a handler", () -> {
            if (run.insideHandlers(process).isEmpty()) {
                return false;
            }
            process.stop();
            inside.addAll(run.insideHandlers(process));
            if (inside.isEmpty()) {
                process.resume(); // it was faster
            }
            return !inside.isEmpty();
        });
        return inside;
    }

    private SampleProcess newInstance(Duration timeout) {
        SampleProcess instance = run.startJournalled(
                "--tandem.defaults.max-records-per-batch=100",
                "--tandem.defaults.transaction-timeout=" + timeout.toSeconds() + "s",
                // A slow machine, or a frozen process that holds locks, is no reason to give a lane up.
                "--tandem.defaults.max-attempts=100",
                "--crash.point=" + CrashPoint.NOWHERE,
                "--crash.pause=100ms");
        timeouts.put(instance, timeout);
        return instance;
    }

    private static void assertEndedInOrder(SampleProcess process) {
        assertThat(process.exitCode(Duration.ofSeconds(45)))
                .as("exit code of %s%s", process.log(), process.tail())
                .isEqualTo(SampleProcess.TERMINATED);
    }

    private int lanesOf(SampleProcess process) {
        return run.count(
                "select count(*) from tandem.lane where instance like '%-' || ? || '-%'",
                String.valueOf(process.pid()));
    }

    private boolean areAborted(List<String> transactions) {
        return transactions.stream()
                .allMatch(transaction ->
                        run.count("select count(*) where pg_xact_status(?::xid8) = 'aborted'", transaction) == 1);
    }

    private int rowsOf(String transaction) {
        return run.count("select count(*) from flight where xmin = ?::xid8::xid", transaction)
                + run.count("select count(*) from airport_delay where xmin = ?::xid8::xid", transaction);
    }
}
