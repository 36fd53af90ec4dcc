package io.github.tandemstreams.acceptance.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ends this process with SIGKILL when it passes a point for the n-th time; and, if asked to, keeps each handler waiting between
 * its two statements and says so in a journal: {@code in <transaction>}, then {@code out <transaction>}.
 *
 * <p>Threading: safe for use by several threads.
 */
final class Faults {

    private final CrashPoint point;
    private final int pass;
    private final Duration pause;
    private final Path journal;
    private final String killer;
    private final AtomicInteger passes = new AtomicInteger();

    /** The journal and the killer may be null. */
    Faults(CrashPoint point, int pass, Duration pause, Path journal, String killer) {
        this.point = point;
        this.pass = pass;
        this.pause = pause;
        this.journal = journal;
        this.killer = killer;
    }

    void passes(CrashPoint here) {
        if (here == point && passes.incrementAndGet() == pass) {
            die();
        }
    }

    /** A flight with the killer's destination ends the process, each time that it is about to be written. */
    void writes(String value) {
        if (value.equals(killer)) {
            die();
        }
    }

    void betweenStatements(Connection connection) throws SQLException {
        passes(CrashPoint.IN_HANDLER);
        if (pause.isZero()) {
            return;
        }
        String transaction = transactionOf(connection);
        note("in " + transaction);
        sleep(pause);
        note("out " + transaction);
    }

    private static String transactionOf(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery("select pg_current_xact_id()::text")) {
            answer.next();
            return answer.getString(1);
        }
    }

    private void note(String line) {
        if (journal == null) {
            return;
        }
        try {
            Files.writeString(journal, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void die() {
        System.out.println("Dies " + point + ", pass " + pass);
        System.out.flush();
        try {
            new ProcessBuilder(
                            "kill", "-9", Long.toString(ProcessHandle.current().pid()))
                    .start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        sleep(Duration.ofMinutes(1));
    }

    private static void sleep(Duration duration) {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }
}
