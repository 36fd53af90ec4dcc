package io.github.tandemstreams.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;

/**
 * Three processes of one group under load, and operators who send their stream back: to a batch, to a time, to offsets. What a
 * command says that it moved, each lane from where to where, is processed once more, and nothing else.
 */
class RewindTest {

    private static final int INSTANCES = 3;
    private static final int PARTITIONS = 6;
    private static final String CONFLICT = "TD001";

    private final List<Flight> flights = Flights.input().all();

    /** What was sent back, of each lane. */
    private final List<Replay> replays = new ArrayList<>();

    private record Replay(String lane, long to, long from) {}

    @Test
    void whatWasAskedForIsProcessedAgainAndNothingElse() throws Exception {
        try (Run run = new Run("rewind", PARTITIONS);
                Feed feed = Feed.start(run, flights)) {
            List<SampleProcess> instances = IntStream.range(0, INSTANCES)
                    .mapToObj(i -> run.start("--tandem.defaults.max-records-per-batch=50"))
                    .toList();
            for (SampleProcess instance : instances) {
                run.awaitOf(instance, "lanes for each", () -> lanesOf(run, instance) > 0);
            }
            awaitBatches(run, instances.get(0), 3);
            Instant early = Instant.now();
            awaitBatches(run, instances.get(0), 8);

            rewind(run, instances.get(0), "flights-0", "{\"batch\": 2}");
            awaitBeyond(run, instances.get(0));
            rewind(run, instances.get(1), null, "{\"timestamp\": \"%s\"}".formatted(early));
            awaitBeyond(run, instances.get(1));
            rewind(run, instances.get(2), null, "{\"offsets\": {\"flights-1\": 5, \"flights-4\": 0}}");
            twoAtOnce(run);
            awaitBeyond(run, instances.get(2));

            assertThat(feed.publishRest())
                    .as("flights published after the last rewind")
                    .isPositive();
            List<Flight> expected = expected();
            run.awaitOf(instances.get(0), "all flights", () -> run.committed() >= expected.size());
            instances.forEach(SampleProcess::terminate);
            instances.forEach(instance -> assertThat(instance.exitCode(Duration.ofSeconds(45)))
                    .as("exit code of %s%s", instance.log(), instance.tail())
                    .isEqualTo(SampleProcess.TERMINATED));

            assertThat(expected).hasSizeGreaterThan(flights.size());
            assertThat(run.ledger().flightsOnce(expected)).isEmpty();
            assertThat(run.ledger().sumsExact(expected)).isEmpty();
            assertThat(idsInDisorder(run)).isEmpty();
            System.out.printf("Rewinds: %s, %d flights processed again%n", replays, expected.size() - flights.size());
        }
    }

    /** Gives the command by SQL; what waits for an instance is carried out by one. */
    private void rewind(Run run, SampleProcess process, String lane, String target) {
        Long command = run.jdbc()
                .queryForObject(
                        "insert into tandem.operator_command (stream, lane, action, target) values (?, ?, 'rewind', ?::jsonb)"
                                + " returning id",
                        Long.class,
                        Run.STREAM,
                        lane,
                        target);
        run.awaitOf(process, "command " + target, () -> "done".equals(status(run, command)));
        List<Replay> moved = run.jdbc()
                .query("""
                        select e ->> 'lane', (e -> 'to' ->> (e ->> 'lane'))::bigint, (e -> 'from' ->> (e ->> 'lane'))::bigint
                          from tandem.operator_command c
                         cross join lateral jsonb_array_elements(c.result -> 'lanes') e
                         where c.id = ?
                        """, (row, number) -> new Replay(row.getString(1), row.getLong(2), row.getLong(3)), command);
        assertThat(moved)
                .as(target)
                .isNotEmpty()
                .allSatisfy(replay -> assertThat(replay.from()).isGreaterThan(replay.to()));
        replays.addAll(moved);
    }

    private static String status(Run run, Long command) {
        return run.jdbc()
                .queryForObject("select status from tandem.operator_command where id = ?", String.class, command);
    }

    /** Both saw the same version of the stream: one gives a command, and the other is told. */
    private static void twoAtOnce(Run run) throws Exception {
        Long seen =
                run.jdbc().queryForObject("select version from tandem.stream where stream = ?", Long.class, Run.STREAM);
        CyclicBarrier together = new CyclicBarrier(2);
        List<CompletableFuture<String>> operators = Stream.of("pause", "restored")
                .map(action -> CompletableFuture.supplyAsync(() -> give(run, action, seen, together)))
                .toList();
        List<String> answers = new ArrayList<>();
        for (CompletableFuture<String> operator : operators) {
            answers.add(operator.get());
        }
        assertThat(answers)
                .containsOnlyOnce("done")
                .anySatisfy(answer -> assertThat(answer).contains("at version " + (seen + 1) + ", not at " + seen));
        run.jdbc().update("insert into tandem.operator_command (stream, action) values (?, 'resume')", Run.STREAM);
    }

    private static String give(Run run, String action, Long seen, CyclicBarrier together) {
        try {
            together.await();
            return run.jdbc()
                    .queryForObject(
                            "insert into tandem.operator_command (stream, action, expected_version) values (?, ?, ?)"
                                    + " returning status",
                            String.class,
                            Run.STREAM,
                            action,
                            seen);
        } catch (DataAccessException refused) {
            return String.valueOf(refused.getMessage());
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
    }

    /** All flights once, and those in between once more for each time that they were sent back over. */
    private List<Flight> expected() {
        Map<String, Flight> byJson =
                flights.stream().collect(Collectors.toMap(Flight::json, Function.identity(), (one, same) -> one));
        List<Flight> expected = new ArrayList<>(flights);
        for (ConsumerRecord<String, String> published : published()) {
            String lane = published.topic() + "-" + published.partition();
            for (Replay replay : replays) {
                if (replay.lane().equals(lane)
                        && published.offset() >= replay.to()
                        && published.offset() < replay.from()) {
                    expected.add(byJson.get(published.value()));
                }
            }
        }
        return expected;
    }

    private List<ConsumerRecord<String, String>> published() {
        List<TopicPartition> partitions = IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TopicPartition(Run.TOPIC, partition))
                .toList();
        List<ConsumerRecord<String, String>> all = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", Servers.shared().bootstrapServers()),
                new StringDeserializer(),
                new StringDeserializer())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (all.size() < flights.size()) {
                consumer.poll(Duration.ofSeconds(1)).forEach(all::add);
            }
        }
        return all;
    }

    /** Ids count 0, 1, 2 in each lane, those that were given up among them. */
    private static List<String> idsInDisorder(Run run) {
        return run.jdbc().queryForList("""
                        select format('%s: %s ids up to %s, lane stands at %s', c.lane, count(*), max(c.batch), l.last_batch)
                          from tandem.commit_log c
                          join tandem.lane l using (stream, lane)
                          join tandem.offset_log o using (stream, lane, batch)
                         group by c.lane, l.last_batch
                        having count(*) <> max(c.batch) + 1 or max(c.batch) <> l.last_batch
                        """, String.class);
    }

    private static void awaitBatches(Run run, SampleProcess process, int batches) {
        run.awaitOf(
                process,
                batches + " batches of each lane",
                () -> run.count(
                                "select count(*) from tandem.lane where stream = ? and last_batch >= " + batches,
                                Run.STREAM)
                        == PARTITIONS);
    }

    /** Until each lane has passed the places that it was sent back from. */
    private void awaitBeyond(Run run, SampleProcess process) {
        Map<String, Long> furthest = new TreeMap<>();
        replays.forEach(replay -> furthest.merge(replay.lane(), replay.from(), Math::max));
        for (Map.Entry<String, Long> place : furthest.entrySet()) {
            run.awaitOf(
                    process,
                    place.getKey() + " beyond " + place.getValue(),
                    () -> run.count("select next_offset from tandem.lane_position where lane = ?", place.getKey())
                            > place.getValue());
        }
    }

    private static int lanesOf(Run run, SampleProcess process) {
        return run.count(
                "select count(*) from tandem.lane where instance like '%-' || ? || '-%'",
                String.valueOf(process.pid()));
    }
}
