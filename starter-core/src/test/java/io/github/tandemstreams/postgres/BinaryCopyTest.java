package io.github.tandemstreams.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.tandemstreams.test.PostgresServer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** What COPY is sent in binary arrives as its text would. */
class BinaryCopyTest {

    private static final String BINARY = "copy value (v) from stdin (format binary)";
    private static final String TEXT = "copy value (v) from stdin";

    private static PGSimpleDataSource database;
    private static JdbcTemplate jdbc;
    private static TransactionTemplate transactions;

    enum Size {
        SMALL,
        LARGE
    }

    /** Values of one type of column. */
    record Values(String type, List<?> values) {

        @Override
        public String toString() {
            return type;
        }
    }

    @BeforeAll
    static void connect() {
        database = PostgresServer.newDatabase();
        jdbc = new JdbcTemplate(database);
        transactions = new TransactionTemplate(new JdbcTransactionManager(database));
        jdbc.execute("create type size as enum ('SMALL', 'LARGE')");
        jdbc.execute("create domain percent as numeric(5, 2) check (value <= 100)");
        jdbc.execute("""
                create function note_query() returns trigger language plpgsql as
                $$ begin new.written_by = current_query(); return new; end $$
                """);
    }

    @BeforeEach
    void start() {
        jdbc.execute("drop table if exists value");
    }

    static List<Values> values() {
        SplittableRandom random = new SplittableRandom(1);
        List<Object> numbers =
                new ArrayList<>(List.of(0, 1L, (short) -1, (byte) 7, Long.MIN_VALUE, BigInteger.TEN.pow(40)));
        List<Object> instants = new ArrayList<>(List.of(
                Instant.parse("0001-01-01T00:00:00Z"),
                Instant.parse("9998-12-31T23:59:59.999999Z"),
                Instant.parse("1999-12-31T23:59:59.9999999Z"),
                Instant.parse("2026-01-31T10:15:30.000000400Z"),
                OffsetDateTime.parse("2026-01-31T10:15:30.25+05:30"),
                ZonedDateTime.of(2026, 7, 1, 0, 0, 0, 1_000, ZoneId.of("Europe/Berlin"))));
        List<Object> texts =
                new ArrayList<>(List.of("", "tab\t \\N \\. Ünïcödé 🚀", Size.LARGE, 12, new StringBuilder("x")));
        for (String decimal : List.of(
                "0",
                "0.00",
                "0.1",
                "-0.1",
                "0.0001",
                "0.00001",
                "0.000100",
                "-0.00000000000001",
                "9999",
                "10000",
                "-10000.5",
                "99999999.9999",
                "123456789012345",
                "0.123456789012345",
                "1234567890123456",
                "-1234567890.12345678901234567890",
                "1E+20",
                "-1.5E+7",
                "1E-20",
                "100000000",
                "1000000000000.01")) {
            numbers.add(new BigDecimal(decimal));
        }
        for (int i = 0; i < 2_000; i++) {
            numbers.add(BigDecimal.valueOf(random.nextLong() >> random.nextInt(64), random.nextInt(-3, 20)));
            instants.add(Instant.ofEpochSecond(
                    random.nextLong(-62_135_596_800L, 253_370_764_800L), random.nextInt(1_000_000) * 1_000));
            instants.add(Instant.ofEpochSecond(1_000_000_000, random.nextInt(1_000_000) * 1_000 + 500));
            instants.add(Instant.ofEpochSecond(1_000_000_000, random.nextInt(1_000_000_000)));
            texts.add(Long.toString(random.nextLong(), Character.MAX_RADIX));
        }
        return List.of(
                new Values("numeric", numbers),
                new Values("timestamptz", instants),
                new Values("timestamptz(3)", instants),
                new Values("text", texts),
                new Values("varchar(100)", texts),
                new Values("char(30)", texts),
                new Values("bool", List.of(true, false)),
                new Values("int2", List.of((short) -32768, 32767, 5L, (byte) 1)),
                new Values("int4", List.of(Integer.MIN_VALUE, 2147483647L, (short) 3)),
                new Values("int8", List.of(Long.MIN_VALUE, Long.MAX_VALUE, 0, (byte) -1)),
                new Values("float4", List.of(1.1f, Float.MIN_VALUE, Float.NaN, Float.NEGATIVE_INFINITY, -0f)),
                new Values("float8", List.of(1.1, Double.MIN_VALUE, Double.NaN, Double.POSITIVE_INFINITY, 1e308)),
                new Values("numeric(6, 2)", List.of(new BigDecimal("9999.99"), new BigDecimal("0.005"), 12)),
                new Values("percent", List.of(new BigDecimal("99.999"), 100)),
                new Values("size", List.of(Size.SMALL, "LARGE")),
                new Values("json", List.of(Map.of("a", List.of(1)), "{\"b\":  2}", 3)),
                new Values("jsonb", List.of(Map.of("a", List.of("ü")), "{\"b\":  2}", 3)),
                new Values("bytea", List.of(new byte[0], new byte[] {0, 1, -1, '\\'})),
                new Values("uuid", List.of(UUID.fromString("00000000-0000-0000-ffff-ffffffffffff"), UUID.randomUUID())),
                new Values(
                        "date", List.of(LocalDate.of(1, 1, 1), LocalDate.of(1999, 12, 31), LocalDate.of(9998, 12, 31))),
                new Values("time", List.of(LocalTime.MIDNIGHT, LocalTime.MAX, LocalTime.parse("12:34:56.789012"))),
                new Values(
                        "timestamp",
                        List.of(
                                LocalDateTime.parse("0001-01-01T00:00"),
                                LocalDateTime.parse("1999-12-31T23:59:59.123456"),
                                LocalDateTime.parse("9998-12-31T23:59:59.999999"))));
    }

    @ParameterizedTest
    @MethodSource("values")
    void arrivesAsItsTextDoes(Values given) {
        List<@Nullable Object> rows = new ArrayList<>(given.values());
        rows.add(null);

        assertThat(written(given.type(), rows, BINARY)).isEqualTo(cast(given.type(), rows));
    }

    /** What has no binary form of the same meaning goes as text, with all rows of the batch; what is wrong is refused there. */
    @Test
    void whatHasNoSuchFormIsSentAsText() {
        Map<String, List<?>> others = Map.of(
                "int4", List.of("12", new BigDecimal("3")),
                "float8", List.of(1.1f, new BigDecimal("0.1")),
                "numeric", List.of(1.5, "1e3", new BigDecimal("1E+1001"), new BigDecimal("1E-1001")),
                "timestamptz", List.of("now", Instant.parse("+12026-01-01T00:00:00Z")),
                "date", List.of("2026-01-01", LocalDate.of(12026, 1, 1)),
                "bool", List.of("yes"),
                "uuid", List.of("00000000-0000-0000-0000-000000000001"),
                "int4[]", List.of(List.of(1, 2)),
                "interval", List.of("1 day"));
        others.forEach((type, values) -> {
            List<@Nullable Object> rows = new ArrayList<>(values);
            rows.add(0, null);
            start();
            assertThat(written(type, rows, TEXT)).hasSize(rows.size()).startsWith("null");
        });
        start();
        assertThatThrownBy(() -> written("int4", List.of(1, 5_000_000_000L), TEXT))
                .isInstanceOfSatisfying(RowFailedException.class, refused -> {
                    assertThat(refused.index()).isEqualTo(1);
                    assertThat(refused.column()).isEqualTo("v");
                });
    }

    /** Where these were cut to the sixteen bits of their fields, another number would be stored. */
    @Test
    void numbersThatAreTooLargeAreRefused() {
        for (String number : List.of("1E+262144", "1E+131072", "1E+2000000")) {
            start();
            assertThatThrownBy(() -> written("numeric", List.of(1, new BigDecimal(number)), TEXT))
                    .as(number)
                    .isInstanceOfSatisfying(
                            RowFailedException.class,
                            failure -> assertThat(failure.index()).isEqualTo(1));
        }
    }

    /** What is a whole number in one type is another one in the next: bytes for the old type mustn't be taken for the new one. */
    @Test
    void aTableThatIsAlteredGetsNoBytesOfItsFormerType() {
        jdbc.execute("create table value (v bigint)");
        PostgresWriter<Row> writer =
                PostgresWriter.<Row>copyInto("value").column("v", Row::value).on(database);
        List<Row> rows = enough(List.of(new Row(5), new Row(12L)));
        transactions.executeWithoutResult(status -> writer.write(rows));
        jdbc.execute("alter table value alter column v type numeric");

        assertThatThrownBy(() -> transactions.executeWithoutResult(status -> writer.write(rows)))
                .isInstanceOf(ConcurrencyFailureException.class)
                .hasMessageContaining("altered");
        transactions.executeWithoutResult(status -> writer.write(rows));

        assertThat(jdbc.queryForList("select distinct v::text from value order by 1", String.class))
                .containsExactly("12", "5");
        assertThat(jdbc.queryForObject("select count(*) from value", Integer.class))
                .isEqualTo(2 * rows.size());
    }

    /** A snapshot may be older than what COPY writes into, so nobody could tell afterwards. */
    @Test
    void underASnapshotOfTheTransactionTextIsSent() {
        jdbc.execute("create table value (v bigint, written_by text)");
        jdbc.execute("create trigger note before insert on value for each row execute function note_query()");
        PostgresWriter<Row> writer =
                PostgresWriter.<Row>copyInto("value").column("v", Row::value).on(database);
        TransactionTemplate repeatable = new TransactionTemplate(new JdbcTransactionManager(database));
        repeatable.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        repeatable.executeWithoutResult(status -> writer.write(enough(List.of(new Row(5)))));

        assertThat(senders()).containsExactly(TEXT);
    }

    @Test
    void aValueThatTheColumnRefusesIsNamedWithItsRow() {
        Map<String, List<?>> refused = Map.of(
                "varchar(3)", List.of("abc", "abcd"),
                "numeric(3, 1)", List.of(1, 1000),
                "size", List.of(Size.LARGE, "HUGE"),
                "percent", List.of(1, 101),
                "text", List.of("", "nul \0"),
                "jsonb", List.of("{}", "{\"a\": }"),
                "json", List.of("{}", "\n{"));
        refused.forEach((type, rows) -> {
            start();
            assertThatThrownBy(() -> written(type, new ArrayList<@Nullable Object>(rows), BINARY))
                    .as(type)
                    .isInstanceOfSatisfying(RowFailedException.class, failure -> {
                        assertThat(failure.index()).isEqualTo(1);
                        assertThat(failure.column()).isEqualTo("v");
                    });
        });
    }

    /** A question after each COPY would cost more than few rows save. */
    @Test
    void fewRowsAreSentAsText() {
        jdbc.execute("create table value (v bigint, written_by text)");
        jdbc.execute("create trigger note before insert on value for each row execute function note_query()");
        PostgresWriter<Row> writer =
                PostgresWriter.<Row>copyInto("value").column("v", Row::value).on(database);
        List<Row> enough = enough(List.of(new Row(5)));
        transactions.executeWithoutResult(status -> writer.write(enough.subList(1, enough.size())));
        assertThat(senders()).containsExactly(TEXT);

        transactions.executeWithoutResult(status -> writer.write(enough));
        assertThat(senders()).containsExactlyInAnyOrder(TEXT, BINARY);
    }

    private static List<String> senders() {
        return jdbc.queryForList("select distinct replace(written_by, '\"', '') from value", String.class);
    }

    /** The same rows and more of the first one, until there are enough of them to be sent in binary. */
    private static List<Row> enough(List<Row> rows) {
        List<Row> all = new ArrayList<>(rows);
        while (all.size() < CopyTarget.FEWEST_ROWS_IN_BINARY) {
            all.add(rows.get(0));
        }
        return all;
    }

    @SuppressWarnings("NullAway") // a row may be null to this writer
    private static List<String> written(String type, List<@Nullable Object> rows, String by) {
        jdbc.execute("create table value (place serial, v " + type + ", written_by text)");
        jdbc.execute("create trigger note before insert on value for each row execute function note_query()");
        PostgresWriter<Row> writer =
                PostgresWriter.<Row>copyInto("value").column("v", Row::value).on(database);
        List<Row> all = rows.stream().map(Row::new).toList();
        transactions.executeWithoutResult(status -> writer.write(enough(all)));
        assertThat(senders()).containsExactly(by);
        return jdbc.queryForList(
                "select coalesce(v::text, 'null') from value where place <= ? order by place",
                String.class,
                rows.size());
    }

    /** What Postgres makes of the texts. */
    private static List<String> cast(String type, List<@Nullable Object> rows) {
        TableColumns.Type text = new TableColumns.Type(type, null, type.startsWith("json"), false, null);
        String[] texts =
                rows.stream().map(value -> PostgresText.of(value, text)).toArray(String[]::new);
        return jdbc.queryForList(
                "select coalesce(v::" + type + "::text, 'null') from unnest(?::text[]) with ordinality as t (v, place)"
                        + " order by place",
                String.class,
                (Object) texts);
    }

    private record Row(@Nullable Object value) {}
}
