package io.github.tandemstreams.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.jdbc.SchemaMigrator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** The checker itself: it is content with an exact history, and finds each fault planted into one. */
class LedgerTest {

    private static final List<Flight> FLIGHTS = List.of(
            new Flight("2001/01/01 00:47", 66, 1750, "DTW", "LAS"),
            new Flight("2001/01/01 01:10", 95, 2399, "HNL", "SFO"),
            new Flight("2001/01/01 01:24", -5, 407, "LAS", "OAK"),
            new Flight("2001/01/01 01:39", 4, 256, "LAS", "PHX"),
            new Flight("2001/01/01 06:02", -6, 377, "MHT", "BWI"),
            new Flight("2001/01/01 06:05", -27, 370, "MDT", "DTW"));

    private static final Map<String, Long> ENDS = Map.of("flights-0", 4L, "flights-1", 2L);

    private JdbcTemplate jdbc;

    @BeforeEach
    void writeAnExactHistory() {
        PGSimpleDataSource database = Servers.shared().newDatabase();
        new SchemaMigrator("tandem").migrate(database);
        jdbc = new JdbcTemplate(database);
        jdbc.execute("create table flight (date text, delay int, distance int, origin text, destination text)");
        jdbc.execute(
                "create table airport_delay (origin text, flights bigint, total_delay bigint, total_distance bigint)");
        FLIGHTS.forEach(this::insert);
        Flights.totalsByOrigin(FLIGHTS)
                .forEach((origin, totals) -> jdbc.update(
                        "insert into airport_delay (origin, flights, total_delay, total_distance) values (?, ?, ?, ?)",
                        origin,
                        totals.flights(),
                        totals.delay(),
                        totals.distance()));
        jdbc.execute("""
                insert into tandem.lane (stream, lane, epoch, last_batch, position)
                values ('flights', 'flights-0', 2, 2, '{"flights-0": 4}'), ('flights', 'flights-1', 1, 0, '{"flights-1": 2}')
                """);
        batch("flights-0", 0, 0, 2, 1);
        batch("flights-0", 1, 2, 3, 1);
        batch("flights-0", 2, 3, 4, 2);
        batch("flights-1", 0, 0, 2, 1);
    }

    @Test
    void isContentWithAnExactHistory() {
        assertThat(violations()).isEmpty();
    }

    @Test
    void findsAFlightThatIsThereTwice() {
        insert(FLIGHTS.get(2));

        assertThat(violations())
                .singleElement()
                .asString()
                .contains("LAS, destination=OAK")
                .endsWith("2 instead of 1");
    }

    @Test
    void findsAFlightThatIsMissing() {
        jdbc.update("delete from flight where destination = 'PHX'");

        assertThat(violations())
                .singleElement()
                .asString()
                .contains("destination=PHX")
                .endsWith("0 instead of 1");
    }

    @Test
    void findsASumThatIsWrong() {
        jdbc.update("update airport_delay set total_delay = total_delay + 1 where origin = 'HNL'");

        assertThat(violations()).singleElement().asString().startsWith("airport HNL");
    }

    @Test
    void findsAFlightThatWasParked() {
        jdbc.update("""
                insert into tandem.dead_letter (stream, topic, partition, record_offset, lane, batch, cause_class)
                values ('flights', 'flights', 1, 7, 'flights-1', 0, 'java.lang.Exception')
                """);

        assertThat(violations()).singleElement().asString().startsWith("dead letter: flights-1@7");
    }

    @Test
    void findsAGapInTheIds() {
        jdbc.update("delete from tandem.offset_log where batch = 1");
        jdbc.update("delete from tandem.commit_log where batch = 1");

        assertThat(violations())
                .containsExactly(
                        "flights-0: batch 2 stands where 1 should",
                        "flights-0: batch 2 starts at 3, but the one before it ended at 2");
    }

    @Test
    void findsAPlanWithoutCommitAndACommitWithoutPlan() {
        jdbc.update("delete from tandem.commit_log where batch = 2");
        jdbc.update("delete from tandem.offset_log where lane = 'flights-1'");

        assertThat(violations())
                .contains(
                        "flights-0: batch 2 has a plan, but no commit", "flights-1: batch 0 has a commit, but no plan");
    }

    @Test
    void findsRangesThatOverlap() {
        jdbc.update("""
                update tandem.offset_log set starts = '{"flights-0": 2}' where lane = 'flights-0' and batch = 2
                """);

        assertThat(violations()).contains("flights-0: batch 2 starts at 2, but the one before it ended at 3");
    }

    @Test
    void findsABatchWithTooFewRecords() {
        jdbc.update("update tandem.commit_log set records = 1 where batch = 0 and lane = 'flights-1'");

        assertThat(violations())
                .containsExactly("flights-1: batch 0 is committed, with 1 records and 0 dead letters in a range of 2");
    }

    @Test
    void findsAnEpochThatFalls() {
        jdbc.update("update tandem.commit_log set epoch = 3 where lane = 'flights-0' and batch = 1");

        assertThat(violations()).containsExactly("flights-0: batch 2 was committed in epoch 2, the one before it in 3");
    }

    @Test
    void findsALaneThatDisagreesWithItsLog() {
        jdbc.update("update tandem.lane set last_batch = 1 where lane = 'flights-0'");

        assertThat(violations())
                .containsExactly(
                        "flights-0: stands active at batch 1 and offset 4, its last commit is batch 2 up to 4");
    }

    @Test
    void findsAFailedLane() {
        jdbc.update("update tandem.lane set state = 'failed' where lane = 'flights-1'");

        assertThat(violations()).singleElement().asString().startsWith("flights-1: stands failed");
    }

    @Test
    void findsAnEndThatWasNotReached() {
        assertThat(ledger().positions(Map.of("flights-0", 4L, "flights-1", 5L, "flights-2", 1L), Map.of()))
                .containsExactlyInAnyOrder("position flights-1: 2 instead of 5", "position flights-2: -1 instead of 1");
    }

    @Test
    void findsAGroupOffsetBeyondThePosition() {
        assertThat(ledger().positions(ENDS, Map.of("flights-0", 4L, "flights-1", 3L)))
                .containsExactly("flights-1: the Kafka group stands at 3, beyond Postgres with 2");
    }

    private List<String> violations() {
        return ledger().violations(FLIGHTS, ENDS, ENDS);
    }

    private Ledger ledger() {
        return new Ledger(jdbc, "flights");
    }

    private void insert(Flight flight) {
        jdbc.update(
                "insert into flight (date, delay, distance, origin, destination) values (?, ?, ?, ?, ?)",
                flight.date(),
                flight.delay(),
                flight.distance(),
                flight.origin(),
                flight.destination());
    }

    private void batch(String lane, long batch, long start, long end, long epoch) {
        jdbc.update("""
                insert into tandem.offset_log (stream, lane, batch, generation, starts, ends)
                values ('flights', ?, ?, 0, jsonb_build_object(?, ?), jsonb_build_object(?, ?))
                """, lane, batch, lane, start, lane, end);
        jdbc.update("""
                insert into tandem.commit_log (stream, lane, batch, generation, epoch, records, committed_at)
                values ('flights', ?, ?, 0, ?, ?, now())
                """, lane, batch, epoch, end - start);
    }
}
