package io.github.tandemstreams.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.tandemstreams.test.PostgresServer;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.PreferQueryMode;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.JdbcTemplate;

class ErrorTextTest {

    private final PGSimpleDataSource database = PostgresServer.newDatabase();
    private final JdbcTemplate jdbc = new JdbcTemplate(database);

    @BeforeEach
    void createTable() {
        jdbc.execute("create table orders (id int constraint once primary key, note text not null, price numeric(3),"
                + " constraint paid check (price > 0))");
        jdbc.update("insert into orders values (4711, 's3cret', 1)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    insert into orders values (4711, 's3cret')          | SQLState 23505, duplicate key value violates unique constraint "once", table orders
                    insert into orders values (4712, null)              | SQLState 23502, null value in column "note" of relation "orders" violates not-null constraint
                    insert into orders values (4712, 's3cret', -1)      | SQLState 23514, new row for relation "orders" violates check constraint "paid"
                    insert into orders values (4712, 's3cret', 4711)    | SQLState 22003, data exception
                    select 's3cret'::int                                | SQLState 22P02, data exception
                    select 1 s3cret s3cret                              | SQLState 42601, syntax error
                    select * from nowhere                               | SQLState 42P01, relation "nowhere" does not exist
                    select nothing from orders                          | SQLState 42703, column "nothing" does not exist
                    select nothing(1)                                   | SQLState 42883, function nothing(integer) does not exist
                    select 1::nothing                                   | SQLState 42704, type "nothing" does not exist
                    insert into orders (nothing) values (1)             | SQLState 42703, column "nothing" of relation "orders" does not exist
                    insert into orders values (1, '') on conflict (note) do nothing | SQLState 42P10, there is no unique or exclusion constraint matching the ON CONFLICT specification
                    insert into pg_stats values (1)                     | SQLState 55000, cannot insert into view "pg_stats"
                    do 'begin execute ''select * from s3cret''; end'    | SQLState 42P01, undefined table
                    do 'begin execute ''select s3cret from orders''; end' | SQLState 42703, undefined column
                    do 'begin raise exception ''s3cret''; end'          | SQLState P0001, raised by a function in the database
                    do 'begin raise check_violation using message = ''s3cret''; end' | SQLState 23514, raised by a function in the database
                    """)
    void theServersErrorsAreToldWithoutValues(String sql, String told) {
        Throwable failure = catchThrowable(() -> jdbc.execute(sql));
        assertThat(ErrorText.withoutContents(failure))
                .as("Spring quotes the statement")
                .isEmpty();
        assertThat(ErrorText.withoutContents(NestedExceptionUtils.getMostSpecificCause(failure)))
                .contains(told);
    }

    /** Of the names that a statement looks up while it runs, any may be what a record holds. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    select ?::text::regclass            | s3cret   | SQLState 42P01, undefined table
                    select ?::regclass                  | s3cret   | SQLState 42P01, undefined table
                    select ?::regtype                   | s3cret.x | SQLState 3F000, undefined schema
                    select ?::regclass                  | a.s3cret.c | SQLState 0A000, feature not supported, or a plan that doesn't fit its table any more
                    select to_tsvector(?::regconfig, 'x') | s3cret | SQLState 42704, undefined object
                    select ?::regprocedure              | s3cret(int) | SQLState 42883, undefined function
                    select nextval(?)                   | s3cret   | SQLState 42P01, undefined table
                    select ?::regclass                  | s3cret x | SQLState 42602, error in what a statement names
                    """)
    void aNameThatIsAValueIsNotTold(String sql, String value, String told) {
        assertThat(told(() -> jdbc.queryForList(sql, value))).isEqualTo(told);
        PGSimpleDataSource simple = PostgresServer.as(database, database.getUser(), database.getPassword());
        simple.setPreferQueryMode(PreferQueryMode.SIMPLE);
        assertThat(told(() -> new JdbcTemplate(simple).queryForList(sql, value)))
                .as("with the value in the statement")
                .isEqualTo(told);
        PGSimpleDataSource untyped = PostgresServer.as(database, database.getUser(), database.getPassword());
        untyped.setStringType("unspecified");
        assertThat(told(() -> new JdbcTemplate(untyped).queryForList(sql, value)))
                .isEqualTo(told);
    }

    @Test
    void whatIsDeniedIsTold() {
        jdbc.execute("create role reader login");
        assertThat(told(() -> new JdbcTemplate(PostgresServer.as(database, "reader", "")).queryForList("table orders")))
                .isEqualTo("SQLState 42501, permission denied for table orders");
    }

    private static String told(ThrowingCallable failing) {
        return ErrorText.withoutContents(NestedExceptionUtils.getMostSpecificCause(catchThrowable(failing)))
                .orElseThrow();
    }

    @Test
    void whatIsWrongWithAConnectionIsToldInFull() {
        PGSimpleDataSource closed = PostgresServer.as(database, database.getUser(), database.getPassword());
        closed.setPortNumbers(new int[] {1});
        Throwable refused = catchThrowable(closed::getConnection);
        assertThat(ErrorText.withoutContents(refused)).get().asString().startsWith("SQLState 08001, Connection to");
        assertThat(ErrorText.withoutContents(new SQLTransientConnectionException("no connection within 30 s")))
                .contains("no connection within 30 s");
        assertThat(ErrorText.withoutContents(new CannotGetJdbcConnectionException("no connection")))
                .contains("no connection");
    }

    @Test
    void nothingIsToldOfWhatMayQuoteAnything() {
        assertThat(ErrorText.withoutContents(new IllegalStateException("s3cret")))
                .isEmpty();
        assertThat(ErrorText.withoutContents(new SQLException("s3cret"))).isEmpty();
        assertThat(ErrorText.withoutContents(new SQLException("s3cret", "23505")))
                .contains("SQLState 23505");
        // The connection was lost in a batch, whose statement is in the message.
        assertThat(ErrorText.withoutContents(new BatchUpdateException("values ('s3cret')", "08006", new int[0])))
                .contains("SQLState 08006");
    }
}
