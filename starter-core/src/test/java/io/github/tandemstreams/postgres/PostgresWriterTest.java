package io.github.tandemstreams.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.tandemstreams.test.PostgresServer;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionTemplate;

class PostgresWriterTest {

    private static PGSimpleDataSource database;
    private static JdbcTemplate jdbc;
    private static TransactionTemplate transactions;

    enum Mode {
        COPY,
        UPSERT
    }

    enum Colour {
        RED,
        GREEN
    }

    record Everything(
            int id,
            @Nullable String text,
            @Nullable BigDecimal amount,
            @Nullable Double ratio,
            @Nullable Boolean flag,
            @Nullable Instant happenedAt,
            @Nullable LocalDateTime localTime,
            @Nullable LocalDate day,
            @Nullable UUID token,
            @Nullable Map<String, Object> details,
            int @Nullable [] numbers,
            @Nullable List<String> words,
            byte @Nullable [] raw,
            @Nullable Colour colour,
            @Nullable Duration took) {}

    record Pair(int id, @Nullable String val) {}

    record Total(String origin, long flights, BigDecimal delay, String lastSeen) {}

    @BeforeAll
    static void connect() {
        database = PostgresServer.newDatabase();
        jdbc = new JdbcTemplate(database);
        transactions = new TransactionTemplate(new JdbcTransactionManager(database));
        jdbc.execute("create type colour as enum ('RED', 'GREEN')");
        jdbc.execute("""
                create table everything (id int primary key, text text, amount numeric(30, 10), ratio float8, flag boolean,
                    happened_at timestamptz, local_time timestamp, day date, token uuid, details jsonb, numbers int[],
                    words text[], raw bytea, colour colour, took interval)
                """);
        jdbc.execute("create table pair (id int primary key, val text not null check (val <> 'refused'))");
        jdbc.execute("create table total (origin char(3) primary key, flights int, delay numeric, last_seen text)");
        jdbc.execute("create table short (id int primary key, val varchar(3))");
        jdbc.execute("create table odd (place int primary key, n int, t text, \"two words\" text, c0 int)");
        jdbc.execute(
                "create table rounded (at timestamptz(3), amount numeric(6, 2), val int, primary key (at, amount))");
        jdbc.execute("create table growing (id int primary key, total int)");
    }

    @BeforeEach
    void empty() {
        jdbc.execute("truncate everything, pair, total, short, odd, rounded, growing");
    }

    private static <T extends Record> PostgresWriter<T> writer(Mode mode, String table, Class<T> rows) {
        return mode == Mode.COPY
                ? PostgresWriter.copyInto(table, rows).on(database)
                : PostgresWriter.upsertInto(table, rows).key("id").on(database);
    }

    private static <T> void write(PostgresWriter<T> writer, List<T> rows) {
        Consumer<Object> all = status -> writer.write(rows);
        transactions.executeWithoutResult(all::accept);
    }

    private static String text(String sql) {
        return String.valueOf(jdbc.queryForObject(sql, String.class));
    }

    // ---- values

    @ParameterizedTest
    @EnumSource
    void valuesOfAllUsualTypesArriveAsTheyAre(Mode mode) {
        UUID token = UUID.randomUUID();
        Everything full = new Everything(
                1,
                "tab\t new\nline \r back\\slash 'quote' \"double\" {} Ünïcödé 🚀 \\N",
                new BigDecimal("12345678901234567890.0123456789"),
                1e-300,
                true,
                Instant.parse("2001-01-01T00:47:00.123456Z"),
                LocalDateTime.parse("1999-12-31T23:59:59.5"),
                LocalDate.parse("0044-03-15"),
                token,
                Map.of("a", List.of(1, 2), "b", "x\"y\\z"),
                new int[] {1, -2, 3},
                Arrays.asList("a,b", null, "c\"d\\e", "NULL", ""),
                new byte[] {0, 1, '\\', (byte) 0xff},
                Colour.GREEN,
                Duration.parse("PT36H5M0.25S"));
        Everything empty = new Everything(
                2, "", null, null, null, null, null, null, null, null, null, null, new byte[0], null, null);
        write(writer(mode, "everything", Everything.class), List.of(full, empty));

        assertThat(text("select text from everything where id = 1")).isEqualTo(full.text());
        assertThat(jdbc.queryForObject("select amount from everything where id = 1", BigDecimal.class))
                .isEqualByComparingTo(full.amount());
        assertThat(jdbc.queryForObject("select ratio from everything where id = 1", Double.class))
                .isEqualTo(1e-300);
        assertThat(text("select flag from everything where id = 1")).isEqualTo("t");
        assertThat(jdbc.queryForObject("select happened_at from everything where id = 1", OffsetDateTime.class)
                        .toInstant())
                .isEqualTo(full.happenedAt());
        assertThat(jdbc.queryForObject("select local_time from everything where id = 1", LocalDateTime.class))
                .isEqualTo(full.localTime());
        assertThat(text("select to_char(day, 'YYYY-MM-DD') from everything where id = 1"))
                .isEqualTo("0044-03-15");
        assertThat(text("select token from everything where id = 1")).isEqualTo(token.toString());
        assertThat(text("select details ->> 'b' || (details -> 'a') from everything where id = 1"))
                .isEqualTo("x\"y\\z[1, 2]");
        assertThat(text("select numbers from everything where id = 1")).isEqualTo("{1,-2,3}");
        assertThat(text("select words = array['a,b', null, 'c\"d\\e', 'NULL', ''] from everything where id = 1"))
                .isEqualTo("t");
        assertThat(jdbc.queryForObject("select raw from everything where id = 1", byte[].class))
                .isEqualTo(full.raw());
        assertThat(text("select colour from everything where id = 1")).isEqualTo("GREEN");
        assertThat(text("select took = interval '36 hours 5 minutes 0.25 seconds' from everything where id = 1"))
                .isEqualTo("t");
        assertThat(text("select text || coalesce(amount::text, 'null') || coalesce(details::text, 'null')"
                        + " || coalesce(words::text, 'null') || length(raw) from everything where id = 2"))
                .isEqualTo("nullnullnull0");
    }

    @ParameterizedTest
    @EnumSource
    void anyNumberOfRowsIsWritten(Mode mode) {
        PostgresWriter<Pair> writer = writer(mode, "pair", Pair.class);
        write(writer, List.of());
        write(
                writer,
                IntStream.range(0, 70_000).mapToObj(i -> new Pair(i, "v" + i)).toList());
        assertThat(text("select count(*) || ' ' || count(distinct val) || ' ' || sum(id) from pair"))
                .isEqualTo("70000 70000 2449965000");
    }

    @ParameterizedTest
    @EnumSource
    void columnsCanBeGivenAndLeftOut(Mode mode) {
        PostgresWriter<String> writer = mode == Mode.COPY
                ? PostgresWriter.<String>copyInto("pair")
                        .column("id", String::length)
                        .column("val", text -> text)
                        .on(database)
                : PostgresWriter.<String>upsertInto("pair")
                        .column("id", String::length)
                        .column("val", text -> text)
                        .key("id")
                        .on(database);
        write(writer, List.of("a", "bb"));
        assertThat(text("select string_agg(id || val, ' ' order by id) from pair"))
                .isEqualTo("1a 2bb");

        PostgresWriter<Everything> some = PostgresWriter.upsertInto("everything", Everything.class)
                .without("text", "amount", "ratio", "flag", "happened_at", "local_time", "day", "token", "details")
                .without("numbers", "words", "raw", "colour", "took")
                .column("text", row -> "from elsewhere")
                .key("id")
                .on(database);
        write(
                some,
                List.of(new Everything(
                        7, "x", null, null, null, null, null, null, null, null, null, null, null, null, null)));
        assertThat(text("select id || text from everything")).isEqualTo("7from elsewhere");
    }

    @Test
    void whatIsWrittenBelongsToTheTransaction() {
        PostgresWriter<Pair> writer = writer(Mode.COPY, "pair", Pair.class);
        transactions.executeWithoutResult(status -> {
            writer.write(List.of(new Pair(1, "a")));
            status.setRollbackOnly();
        });
        assertThat(text("select count(*) from pair")).isEqualTo("0");
    }

    @ParameterizedTest
    @EnumSource
    void withoutATransactionNothingIsWritten(Mode mode) {
        PostgresWriter<Pair> writer = writer(mode, "pair", Pair.class);
        assertThatThrownBy(() -> writer.write(List.of(new Pair(1, "a"))))
                .isInstanceOf(IllegalTransactionStateException.class)
                .hasMessageContaining("pair");
        PGSimpleDataSource other = PostgresServer.as(database, database.getUser(), database.getPassword());
        TransactionTemplate others = new TransactionTemplate(new JdbcTransactionManager(other));
        assertThatThrownBy(() -> others.executeWithoutResult(status -> writer.write(List.of(new Pair(1, "a")))))
                .isInstanceOf(IllegalTransactionStateException.class);
        assertThat(text("select count(*) from pair")).isEqualTo("0");
    }

    /** COPY has the connection for itself while it runs. */
    @ParameterizedTest
    @EnumSource
    void aColumnMayBeLookedUpOnTheSameConnection(Mode mode) {
        jdbc.update("insert into short values (1, 'one')");
        Function<Integer, String> lookUp =
                id -> jdbc.queryForObject("select val from short where id = ?", String.class, id);
        PostgresWriter<Integer> writer = mode == Mode.COPY
                ? PostgresWriter.<Integer>copyInto("pair")
                        .column("id", id -> id)
                        .column("val", lookUp)
                        .on(database)
                : PostgresWriter.<Integer>upsertInto("pair")
                        .column("id", id -> id)
                        .column("val", lookUp)
                        .key("id")
                        .on(database);
        write(writer, List.of(1));
        assertThat(text("select id || val from pair")).isEqualTo("1one");
    }

    @Test
    void timesKeepTheirInstantAndYearsTheirDigits() {
        record At(int id, Object happenedAt, @Nullable LocalDate day) {}
        PostgresWriter<At> writer = writer(Mode.COPY, "everything", At.class);
        write(
                writer,
                List.of(
                        new At(
                                1,
                                ZonedDateTime.parse("2001-07-01T12:00+02:00[Europe/Paris]"),
                                LocalDate.of(12345, 1, 2)),
                        new At(2, OffsetDateTime.parse("2001-07-01T12:00+02:00"), null),
                        new At(3, Date.from(Instant.parse("2001-07-01T10:00:00Z")), null)));
        assertThat(text("select count(*) || ' ' || count(distinct happened_at) || ' '"
                        + " || min(extract(epoch from happened_at))::bigint || ' ' || max(extract(year from day))"
                        + " from everything"))
                .isEqualTo("3 1 " + Instant.parse("2001-07-01T10:00:00Z").getEpochSecond() + " 12345");

        record Local(int id, Object localTime) {}
        assertThatThrownBy(() -> write(
                        writer(Mode.COPY, "everything", Local.class),
                        List.of(new Local(4, Instant.parse("2001-07-01T10:00:00Z")))))
                .isInstanceOf(RowFailedException.class)
                .hasMessageContaining("local_time")
                .hasMessageContaining("no time zone");
    }

    // ---- upserts

    @Test
    void noNameOfAColumnIsTakenForOneOfOurs() {
        PostgresWriter<Integer> writer = PostgresWriter.<Integer>upsertInto("odd")
                .column("n", i -> i)
                .column("place", i -> i % 2)
                .column("t", i -> "t" + i)
                .column("two words", i -> "w" + i)
                .column("c0", i -> 10 * i)
                .key("place")
                .add("c0")
                .on(database);
        write(writer, List.of(1, 2, 3));
        write(writer, List.of(4));
        assertThat(
                        text(
                                "select string_agg(concat_ws('/', place, n, t, \"two words\", c0), ' ' order by place) from odd"))
                .isEqualTo("0/4/t4/w4/60 1/3/t3/w3/40");
    }

    /** Where the batches are cut must not matter. */
    @Test
    void nullAddsNothing() {
        record Sum(int id, @Nullable Integer total) {}
        PostgresWriter<Sum> writer = PostgresWriter.upsertInto("growing", Sum.class)
                .key("id")
                .add("total")
                .on(database);
        List<Sum> sums = List.of(new Sum(1, null), new Sum(1, 5), new Sum(1, null), new Sum(1, 7), new Sum(2, null));
        write(writer, sums);
        String together =
                text("select string_agg(id || ':' || coalesce(total::text, 'null'), ' ' order by id) from growing");
        jdbc.execute("truncate growing");
        sums.forEach(sum -> write(writer, List.of(sum)));
        assertThat(together).isEqualTo("1:12 2:null");
        assertThat(text("select string_agg(id || ':' || coalesce(total::text, 'null'), ' ' order by id) from growing"))
                .isEqualTo(together);
    }

    @Test
    void keysAreTheSameIfTheColumnHoldsThemAsTheSame() {
        record Rounded(Instant at, BigDecimal amount, int val) {}
        PostgresWriter<Rounded> writer = PostgresWriter.upsertInto("rounded", Rounded.class)
                .key("at", "amount")
                .on(database);
        write(
                writer,
                List.of(
                        new Rounded(Instant.parse("2001-01-01T00:00:00.0001Z"), new BigDecimal("1.001"), 1),
                        new Rounded(Instant.parse("2001-01-01T00:00:00.0002Z"), new BigDecimal("1.002"), 2)));
        assertThat(text("select string_agg(val::text, ' ') from rounded")).isEqualTo("2");
    }

    @Test
    void keysOfADomainAreTheSameIfItHoldsThemAsTheSame() {
        jdbc.execute("create domain money_amount as numeric(10, 2)");
        jdbc.execute("create domain price as money_amount check (value > 0)");
        jdbc.execute("create domain moment as timestamp(0)");
        jdbc.execute("create table priced (price price, at moment, val int, primary key (price, at))");
        record Priced(BigDecimal price, LocalDateTime at, int val) {}
        PostgresWriter<Priced> writer = PostgresWriter.upsertInto("priced", Priced.class)
                .key("price", "at")
                .on(database);
        write(
                writer,
                List.of(
                        new Priced(new BigDecimal("1.001"), LocalDateTime.parse("2001-01-01T00:00:00.1"), 1),
                        new Priced(new BigDecimal("1.002"), LocalDateTime.parse("2001-01-01T00:00:00.2"), 2)));
        write(writer, List.of(new Priced(new BigDecimal("1.003"), LocalDateTime.parse("2001-01-01T00:00:00.3"), 3)));
        assertThat(text("select string_agg(concat_ws('/', price, at, val), ' ') from priced"))
                .isEqualTo("1.00/2001-01-01 00:00:00/3");
        assertThatThrownBy(() -> write(
                        writer, List.of(new Priced(new BigDecimal("-1"), LocalDateTime.parse("2001-01-01T00:00"), 4))))
                .isInstanceOf(DataIntegrityViolationException.class);
    }

    /** Also a text that is too long for it is refused, and not cut. */
    @Test
    void aDomainOverADomainIsWhatThatIsOver() {
        jdbc.execute("create domain code as varchar(3)");
        jdbc.execute("create domain airport as code");
        jdbc.execute("create table airport_name (id airport primary key, val airport)");
        PostgresWriter<String> writer = PostgresWriter.<String>upsertInto("airport_name")
                .column("id", text -> "DTW")
                .column("val", text -> text)
                .key("id")
                .on(database);
        write(writer, List.of("abc"));
        assertThatThrownBy(() -> write(writer, List.of("four"))).hasMessageContaining("too long");
        assertThat(text("select id || val from airport_name")).isEqualTo("DTWabc");
    }

    @Test
    void keysAreTheSameIfTheirCollationTakesThemForTheSame() {
        assumeThat(text("select count(*) from pg_collation where collprovider = 'i'"))
                .as("collations of ICU")
                .isNotEqualTo("0");
        jdbc.execute("create schema \"of words\"");
        jdbc.execute("create collation \"of words\".\"any case\""
                + " (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
        jdbc.execute("create table word (word text collate \"of words\".\"any case\" primary key, n int, last text)");
        record Word(String word, int n, String last) {}
        PostgresWriter<Word> writer = PostgresWriter.upsertInto("word", Word.class)
                .key("word")
                .add("n")
                .on(database);
        write(writer, List.of(new Word("A", 1, "first"), new Word("b", 1, "other"), new Word("a", 2, "second")));
        write(writer, List.of(new Word("A", 4, "third")));
        assertThat(text("select string_agg(concat_ws('/', lower(word), n, last), ' ' order by word) from word"))
                .isEqualTo("a/7/third b/1/other");
    }

    /** Of the former type, a value would have lost digits before it came to the column. */
    @Test
    void whatAColumnHasRoomForSinceItWasWidenedIsKept() {
        jdbc.execute(
                "create table widened (id numeric(4, 1) primary key, price numeric(10, 2), at timestamp(0), ratio float4,"
                        + " total numeric(10, 2))");
        record Widened(BigDecimal id, BigDecimal price, LocalDateTime at, double ratio, BigDecimal total) {}
        PostgresWriter<Widened> writer = PostgresWriter.upsertInto("widened", Widened.class)
                .key("id")
                .add("total")
                .on(database);
        Widened row = new Widened(
                new BigDecimal("1.25"),
                new BigDecimal("1.2345"),
                LocalDateTime.parse("2001-01-01T00:00:00.25"),
                0.1,
                new BigDecimal("0.004"));
        write(writer, List.of(row, row));
        String rows = "select string_agg(concat_ws('/', id, price, at, ratio, total), ' ' order by id) from widened";
        assertThat(text(rows)).isEqualTo("1.3/1.23/2001-01-01 00:00:00/0.1/0.00");

        jdbc.execute("alter table widened alter id type numeric(5, 2), alter price type numeric(12, 4), alter at type"
                + " timestamp, alter ratio type float8 using 0, alter total type numeric(12, 4)");
        assertThatThrownBy(() -> write(writer, List.of(row, row)))
                .isInstanceOf(ConcurrencyFailureException.class)
                .hasMessageContaining("altered");
        write(writer, List.of(row, row));
        assertThat(text(rows))
                .isEqualTo("1.25/1.2345/2001-01-01 00:00:00.25/0.1/0.0080 1.30/1.2300/2001-01-01 00:00:00/0/0.0000");
    }

    @Test
    void aTableThatIsAlteredIsLookedAtAnew() {
        PostgresWriter<Long> writer = PostgresWriter.<Long>upsertInto("growing")
                .column("id", i -> 1)
                .column("total", i -> i)
                .key("id")
                .on(database);
        write(writer, List.of(1L));
        assertThatThrownBy(() -> write(writer, List.of(1L << 40))).hasMessageContaining("out of range");
        jdbc.execute("alter table growing alter column total type bigint");
        try {
            write(writer, List.of(1L << 40));
            assertThat(text("select total from growing")).isEqualTo(String.valueOf(1L << 40));
        } finally {
            jdbc.execute("alter table growing alter column total type int using 0");
        }
    }

    @Test
    void anUpsertReplacesWhatIsThereAndTheLastOfTheSameKeyCounts() {
        PostgresWriter<Pair> writer = writer(Mode.UPSERT, "pair", Pair.class);
        write(writer, List.of(new Pair(1, "old"), new Pair(2, "stays")));
        write(writer, List.of(new Pair(1, "first"), new Pair(3, "new"), new Pair(1, "last")));
        assertThat(text("select string_agg(id || val, ' ' order by id) from pair"))
                .isEqualTo("1last 2stays 3new");
    }

    @Test
    void addedColumnsAreRunningTotals() {
        PostgresWriter<Total> writer = PostgresWriter.upsertInto("total", Total.class)
                .key("origin")
                .add("flights", "delay")
                .on(database);
        write(writer, List.of(new Total("DTW", 1, new BigDecimal("0.5"), "a")));
        write(
                writer,
                List.of(
                        new Total("DTW", 1, new BigDecimal("1.25"), "b"),
                        new Total("LAS", 1, BigDecimal.ONE, "c"),
                        new Total("DTW", 2, BigDecimal.TEN, "d")));
        assertThat(text("select string_agg(concat_ws('/', origin, flights, delay, last_seen), ' ' order by origin)"
                        + " from total"))
                .isEqualTo("DTW/4/11.75/d LAS/1/1/c");
    }

    @Test
    void aKeyAloneIsInsertedOnce() {
        PostgresWriter<Integer> writer = PostgresWriter.<Integer>upsertInto("short")
                .column("id", id -> id)
                .key("id")
                .on(database);
        write(writer, List.of(1, 2, 1));
        write(writer, List.of(2, 3));
        assertThat(text("select string_agg(id::text, ' ' order by id) from short"))
                .isEqualTo("1 2 3");
    }

    // ---- errors

    @Test
    void aValueThatTheColumnRefusesIsNamedWithItsRow() {
        PostgresWriter<Pair> writer = PostgresWriter.copyInto("everything", Pair.class)
                .without("val")
                .column("ratio", Pair::val)
                .on(database);
        assertThatThrownBy(() -> write(writer, List.of(new Pair(1, "1.5"), new Pair(2, "1,5"), new Pair(3, "2"))))
                .isInstanceOfSatisfying(RowFailedException.class, failed -> {
                    assertThat(failed.index()).isEqualTo(1);
                    assertThat(failed.column()).isEqualTo("ratio");
                    assertThat(failed)
                            .hasMessageContaining("Row 1, column ratio")
                            .hasMessageContaining("1,5");
                    assertThat(failed).hasCauseInstanceOf(DataIntegrityViolationException.class);
                });
        assertThat(text("select count(*) from everything")).isEqualTo("0");
    }

    @Test
    void aRowThatAConstraintRefusesIsNamed() {
        PostgresWriter<Pair> writer = writer(Mode.COPY, "pair", Pair.class);
        List<Pair> good =
                IntStream.range(0, 20_000).mapToObj(i -> new Pair(i, "v")).toList();
        for (Pair bad : List.of(new Pair(-1, null), new Pair(-1, "refused"), new Pair(17, "the second 17"))) {
            List<Pair> rows = new java.util.ArrayList<>(good);
            rows.add(19_000, bad);
            assertThatThrownBy(() -> write(writer, rows))
                    .isInstanceOfSatisfying(
                            RowFailedException.class,
                            failed -> assertThat(failed.index()).as("%s", bad).isEqualTo(19_000));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aValueThatHasNoTextIsNamedWithItsRow(Mode mode) {
        record Odd(int id, Object val) {}
        PostgresWriter<Odd> writer = writer(mode, "pair", Odd.class);
        assertThatThrownBy(() -> write(
                        writer, List.of(new Odd(1, "a"), new Odd(2, new StringBuilder("b")), new Odd(3, new Object()))))
                .isInstanceOfSatisfying(RowFailedException.class, failed -> {
                    assertThat(failed.index()).isEqualTo(2);
                    assertThat(failed.column()).isEqualTo("val");
                    assertThat(failed).hasMessageContaining("java.lang.Object");
                });
        write(writer, List.of(new Odd(4, "the connection is good")));
        assertThat(text("select string_agg(id::text, ' ') from pair")).isEqualTo("4");
    }

    @ParameterizedTest
    @EnumSource
    void aRowThatIsNullIsNamed(Mode mode) {
        PostgresWriter<Pair> writer = writer(mode, "pair", Pair.class);
        assertThatThrownBy(() -> write(writer, Arrays.asList(new Pair(1, "a"), null)))
                .isInstanceOf(RowFailedException.class)
                .hasMessageContaining("Row 1")
                .hasMessageContaining("tombstone");
    }

    @Test
    void aKeyThatIsNullIsNamed() {
        record Keyless(@Nullable Integer id, String val) {}
        PostgresWriter<Keyless> writer = writer(Mode.UPSERT, "pair", Keyless.class);
        assertThatThrownBy(() -> write(writer, List.of(new Keyless(1, "a"), new Keyless(null, "b"))))
                .isInstanceOf(RowFailedException.class)
                .hasMessageContaining("Row 1, column id")
                .hasMessageContaining("part of the key");
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsCutOff(Mode mode) {
        PostgresWriter<Pair> writer = writer(mode, "short", Pair.class);
        assertThatThrownBy(() -> write(writer, List.of(new Pair(1, "four")))).hasMessageContaining("too long");
    }

    @ParameterizedTest
    @EnumSource
    void aColumnThatIsntThereIsNamed(Mode mode) {
        record Unknown(int id, String valeu) {}
        PostgresWriter<Unknown> writer = writer(mode, "pair", Unknown.class);
        assertThatThrownBy(() -> write(writer, List.of(new Unknown(1, "a"))))
                .isInstanceOf(BadSqlGrammarException.class)
                .hasMessageContaining("[valeu]")
                .hasMessageContaining("[id, val]");
    }

    @Test
    void whatCantBeAWriterSaysSo() {
        assertThatThrownBy(() -> PostgresWriter.<String>copyInto("pair").on(database))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("column(…)");
        assertThatThrownBy(() -> PostgresWriter.upsertInto("pair", Pair.class).on(database))
                .hasMessageContaining("key(…)");
        assertThatThrownBy(() ->
                        PostgresWriter.upsertInto("pair", Pair.class).key("idd").on(database))
                .hasMessageContaining("[idd]");
        assertThatThrownBy(() -> PostgresWriter.upsertInto("pair", Pair.class)
                        .key("id")
                        .add("id")
                        .on(database))
                .hasMessageContaining("different");
        assertThatThrownBy(() -> PostgresWriter.copyInto("pair", Pair.class).without("vla"))
                .hasMessageContaining("[vla]");
        assertThatThrownBy(() -> write(writer(Mode.COPY, "nowhere", Pair.class), List.of(new Pair(1, "a"))))
                .isInstanceOf(BadSqlGrammarException.class)
                .rootCause()
                .hasMessageContaining("nowhere");
    }
}
