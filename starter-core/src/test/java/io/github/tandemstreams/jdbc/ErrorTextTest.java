package io.github.tandemstreams.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.tandemstreams.test.PostgresServer;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;
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
