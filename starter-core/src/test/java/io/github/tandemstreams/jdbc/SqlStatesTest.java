package io.github.tandemstreams.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.checkpoint.FailureKind;
import java.io.IOException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.UnexpectedRollbackException;

class SqlStatesTest {

    @ParameterizedTest
    @CsvSource({
        "08006, TRANSIENT",
        "08P01, TRANSIENT",
        "40001, TRANSIENT",
        "40P01, TRANSIENT",
        "53300, TRANSIENT",
        "55P03, TRANSIENT",
        "57P01, TRANSIENT",
        "57P03, TRANSIENT",
        "25006, TRANSIENT",
        "25P03, TRANSIENT",
        "25P04, TRANSIENT",
        "26000, TRANSIENT",
        "42P05, TRANSIENT",
        "57014, TIMED_OUT",
        "28P01, FATAL",
        "42501, FATAL",
        "42P01, FATAL",
        "58030, FATAL",
        "XX000, FATAL",
        "22001, DATA",
        "23505, DATA",
        "P0001, HANDLER",
        "55000, HANDLER",
        "0A000, HANDLER",
        "25P02, HANDLER"
    })
    void anErrorIsToldByItsSqlState(String state, FailureKind kind) {
        SQLException error = new SQLException("no", state);
        assertThat(SqlStates.classify(error)).isEqualTo(kind);
        assertThat(SqlStates.classify(new IllegalStateException(new UncategorizedSQLException("task", "sql", error))))
                .isEqualTo(kind);
    }

    @Test
    void aPlanThatBelongsToAnotherSessionPasses() {
        assertThat(SqlStates.classify(new SQLException("ERROR: cached plan must not change result type", "0A000")))
                .isEqualTo(FailureKind.TRANSIENT);
    }

    @Test
    void gettingNoConnectionPassesWhateverTheReason() {
        SQLException password = new SQLException("password authentication failed", "28P01");
        assertThat(SqlStates.classify(new CannotGetJdbcConnectionException("no", password)))
                .isEqualTo(FailureKind.TRANSIENT);
        assertThat(SqlStates.classify(new CannotCreateTransactionException("no", password)))
                .isEqualTo(FailureKind.TRANSIENT);
        assertThat(SqlStates.classify(new SQLTransientConnectionException("no", "28P01")))
                .isEqualTo(FailureKind.TRANSIENT);
    }

    @Test
    void timeLimitsAreNoFaultOfARecord() {
        assertThat(SqlStates.classify(new TransactionTimedOutException("no"))).isEqualTo(FailureKind.TIMED_OUT);
        assertThat(SqlStates.classify(new QueryTimeoutException("no"))).isEqualTo(FailureKind.TIMED_OUT);
        assertThat(SqlStates.classify(new QueryTimeoutException("no", new SQLException("no", "55P03"))))
                .isEqualTo(FailureKind.TRANSIENT);
    }

    @Test
    void anEchoGivesWayToTheErrorThatCameBefore() {
        SQLException echo = new SQLException("current transaction is aborted", "25P02");
        echo.initCause(new SQLException("deadlock detected", "40P01"));
        assertThat(SqlStates.classify(echo)).isEqualTo(FailureKind.TRANSIENT);

        BatchUpdateException batch = new BatchUpdateException("batch entry 1", "25P02", new int[0]);
        batch.setNextException(new SQLException("value too long", "22001"));
        assertThat(SqlStates.classify(batch)).isEqualTo(FailureKind.DATA);
    }

    @Test
    void theRestIsTheHandlers() {
        assertThat(SqlStates.classify(new IllegalStateException("no"))).isEqualTo(FailureKind.HANDLER);
        assertThat(SqlStates.classify(new StackOverflowError())).isEqualTo(FailureKind.HANDLER);
        assertThat(SqlStates.classify(new SQLException("no state"))).isEqualTo(FailureKind.HANDLER);
        assertThat(SqlStates.classify(new SerializationException("no"))).isEqualTo(FailureKind.HANDLER);
    }

    @Test
    void kafkasRetriableErrorsPass() {
        assertThat(SqlStates.classify(new IllegalStateException(new TimeoutException("no broker"))))
                .isEqualTo(FailureKind.TRANSIENT);
    }

    @Test
    void aTransactionThatCouldNotBeEndedSaysWhatItWasThatFailedFirst() {
        TransactionSystemException closed =
                new TransactionSystemException("Could not roll back", new SQLException("Connection is closed"));
        assertThat(SqlStates.classify(closed)).isEqualTo(FailureKind.TRANSIENT);
        closed.initApplicationException(new SQLException("no", "23505"));
        assertThat(SqlStates.classify(closed)).isEqualTo(FailureKind.DATA);
        assertThat(SqlStates.classify(new TransactionSystemException(
                        "Could not commit", new IllegalStateException("a validation at the flush"))))
                .isEqualTo(FailureKind.HANDLER);
    }

    @Test
    void aCircleOfCausesEnds() {
        RuntimeException one = new RuntimeException("one");
        one.initCause(new RuntimeException("two", one));
        assertThat(SqlStates.classify(one)).isEqualTo(FailureKind.HANDLER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"40001", "40P01", "23505", "23503", "22001", "P0001", "25P02", "57014", "MY001"})
    void aCommitThatTheServerRefusedIsRolledBack(String state) {
        assertThat(SqlStates.isInDoubt(new UncategorizedSQLException("commit", null, new SQLException("no", state))))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"08006", "08003", "57P01", "57P02", "40003", "XX000", "58030", "53100"})
    void aCommitWithoutAClearAnswerIsInDoubt(String state) {
        assertThat(SqlStates.isInDoubt(new UncategorizedSQLException("commit", null, new SQLException("no", state))))
                .isTrue();
    }

    @Test
    void aCommitWithoutSqlStateIsInDoubt() {
        assertThat(SqlStates.isInDoubt(new SQLException("Connection is closed")))
                .isTrue();
        assertThat(SqlStates.isInDoubt(new UnexpectedRollbackException("no"))).isTrue();
        assertThat(SqlStates.isInDoubt(new SQLException("no", "23505", new IOException("reset"))))
                .isTrue();
    }
}
