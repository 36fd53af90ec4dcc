package io.github.tandemstreams.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.Effects;
import io.github.tandemstreams.test.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.listener.MethodExecutionContext;
import net.ttddyy.dsproxy.listener.MethodExecutionListener;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** What exactly once costs: the product's own SQL statements, counted between the handler's transactions. */
class StatementCountTest {

    /** Everything that was sent, in order: statements and commits. */
    private final List<String> sent = new CopyOnWriteArrayList<>();

    @Test
    void whileBusyEachTransactionHasOneStatementOfOursAndNoOtherIsNeeded() throws InterruptedException {
        try (StreamFixture fixture = new StreamFixture(1, limited())) {
            Topics.produce(fixture.topic, 0, 1000, i -> "v" + i);
            DataSource counting = counting(fixture);
            JdbcTemplate jdbc = new JdbcTemplate(counting);
            // The first batch waits until everything is buffered: from then on the stream is busy to the end.
            CountDownLatch buffered = new CountDownLatch(1);
            StreamRuntime runtime = fixture.stream(
                    batch -> {
                        if (batch.id() == 0) {
                            buffered.await();
                        }
                        jdbc.update("insert into seen values (?, 0, ?, '', ?)", batch.lane(), batch.id(), batch.id());
                    },
                    counting,
                    definition -> definition.limits(new Limits(100, 1 << 20, 1 << 24)));
            runtime.start();
            fixture.until(
                    "everything is read",
                    () -> runtime.status().lanes().stream()
                            .anyMatch(lane -> lane.lag().orElse(0) == 1000));
            buffered.countDown();
            fixture.awaitCaughtUp();
            fixture.until("ten commits are logged", () -> commitsAfterBatches() >= 10);

            List<String> busy = sent.subList(indexOfBatch(1), indexOfBatch(8));
            assertThat(busy.stream().filter(text -> text.equals("COMMIT")).count())
                    .as("transactions of seven batches: %s", busy)
                    .isEqualTo(7);
            assertThat(busy.stream().filter(text -> !text.equals("COMMIT") && !text.startsWith("insert into seen")))
                    .hasSize(7);
        }
    }

    private long commitsAfterBatches() {
        return sent.stream().filter(text -> text.startsWith("insert into seen")).count();
    }

    /** Index of the n-th handler statement. */
    private int indexOfBatch(int n) {
        int found = -1;
        for (int i = 0; i < sent.size(); i++) {
            if (sent.get(i).startsWith("insert into seen") && ++found == n) {
                return i;
            }
        }
        throw new AssertionError("only " + found + " batches in " + sent);
    }

    @Test
    void anIdleLaneNeedsTwoTransactionsForARecord() {
        assertThat(transactionsForOneRecord(Effects.ANYWHERE)).isEqualTo(2);
    }

    @Test
    void anIdleLaneWithEffectsInTheDatabaseNeedsOne() {
        assertThat(transactionsForOneRecord(Effects.DATABASE)).isEqualTo(1);
    }

    @Test
    void aPlanOfAnotherLaneNeedsNoTransactionWhileOneRuns() throws InterruptedException {
        try (StreamFixture fixture = new StreamFixture(2, limited())) {
            DataSource counting = counting(fixture);
            JdbcTemplate jdbc = new JdbcTemplate(counting);
            CountDownLatch running = new CountDownLatch(1);
            CountDownLatch buffered = new CountDownLatch(1);
            StreamRuntime runtime = fixture.stream(
                    batch -> {
                        if (batch.records().get(0).value().equals("long")) {
                            running.countDown();
                            buffered.await();
                        }
                        StreamFixture.note(jdbc, batch);
                    },
                    counting,
                    definition -> definition.concurrency(1));
            runtime.start();
            Topics.produce(fixture.topic, 0, 1, i -> "first");
            Topics.produce(fixture.topic, 1, 1, i -> "first");
            fixture.awaitSeen(2);
            fixture.until("both were reported", () -> fixture.progress.size() == 2);
            sent.clear();
            Topics.produce(fixture.topic, 0, 1, i -> "long");
            running.await();
            Topics.produce(fixture.topic, 1, 1, i -> "second");
            fixture.until(
                    "the other lane's record is read",
                    () -> runtime.status().lanes().stream()
                            .allMatch(lane -> lane.lag().orElse(0) == 1));
            buffered.countDown();
            fixture.awaitSeen(4);
            fixture.until("all were reported", () -> fixture.progress.size() == 4);
            assertThat(insertingTransactions()).isEqualTo(3);
        }
    }

    private long transactionsForOneRecord(Effects effects) {
        try (StreamFixture fixture = new StreamFixture(1, limited())) {
            DataSource counting = counting(fixture);
            JdbcTemplate jdbc = new JdbcTemplate(counting);
            fixture.stream(
                            batch -> StreamFixture.note(jdbc, batch),
                            counting,
                            definition -> definition.effects(effects))
                    .start();
            // The first batch after a claim is planned ahead in any case.
            Topics.produce(fixture.topic, 0, 1, i -> "first");
            fixture.awaitSeen(1);
            fixture.until("the group was told", () -> fixture.progress.size() == 1);
            sent.clear();
            Topics.produce(fixture.topic, 0, 1, i -> "second");
            fixture.awaitSeen(2);
            fixture.until("it was reported", () -> fixture.progress.size() == 2);
            return insertingTransactions();
        }
    }

    /** What the watch over idle lanes reads now and then is no part of a record's way. */
    private long insertingTransactions() {
        return transactions().stream()
                .filter(statements -> statements.stream().anyMatch(text -> text.contains("insert")))
                .count();
    }

    /** What was sent, cut at the commits. */
    private List<List<String>> transactions() {
        List<List<String>> transactions = new ArrayList<>(List.of(new ArrayList<>()));
        for (String text : sent) {
            if (text.equals("COMMIT")) {
                transactions.add(new ArrayList<>());
            } else {
                transactions.get(transactions.size() - 1).add(text.toLowerCase(Locale.ROOT));
            }
        }
        return transactions;
    }

    /** A database whose sessions have a limit to idle transactions, as ours should; without one it costs a statement. */
    private static PGSimpleDataSource limited() {
        PGSimpleDataSource database = PostgresServer.newDatabase();
        PostgresServer.execute(
                database,
                "ALTER DATABASE " + database.getDatabaseName() + " SET idle_in_transaction_session_timeout = '60s'");
        return database;
    }

    private DataSource counting(StreamFixture fixture) {
        return ProxyDataSourceBuilder.create(fixture.database)
                .beforeQuery((execution, queries) -> queries.forEach(query -> sent(query.getQuery())))
                .methodListener(new MethodExecutionListener() {
                    @Override
                    public void beforeMethod(MethodExecutionContext method) {
                        if (method.getMethod().getName().equals("commit")) {
                            sent("COMMIT");
                        }
                    }

                    @Override
                    public void afterMethod(MethodExecutionContext method) {}
                })
                .build();
    }

    /** What the watch over commands asks each second, and where lanes end, is no part of a record's way. */
    private void sent(String text) {
        String thread = Thread.currentThread().getName();
        if (thread.endsWith("-watch") || thread.endsWith("-lag")) {
            return;
        }
        // A transaction that is one message ends with its COMMIT.
        if (text.endsWith(";\nCOMMIT")) {
            sent.add(text.substring(0, text.length() - "COMMIT".length()));
            sent.add("COMMIT");
        } else {
            sent.add(text);
        }
    }
}
