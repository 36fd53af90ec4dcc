package io.github.tandemstreams.jdbc;

import io.github.tandemstreams.checkpoint.ConnectionLostException;
import io.github.tandemstreams.checkpoint.FailureKind;
import io.github.tandemstreams.source.SourceUnavailableException;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.TransactionTimedOutException;

/** What an error of the database means. */
final class SqlStates {

    private static final String UNIQUE_VIOLATION = "23505";
    private static final String QUERY_CANCELED = "57014";

    /** "The transaction is aborted": the echo of an error that came before. */
    private static final String ECHO = "25P02";

    /** Getting no connection passes, whatever it is due to: also credentials are rotated. */
    private static final List<Class<? extends Throwable>> PASSES = List.of(
            CannotGetJdbcConnectionException.class,
            CannotCreateTransactionException.class,
            SQLTransientConnectionException.class,
            ConnectionLostException.class,
            RetriableException.class,
            SourceUnavailableException.class);

    /** A transaction that couldn't be ended because its connection is closed: pools say so without an SQLState. */
    private static final List<Class<? extends Throwable>> ENDED_BADLY = List.of(TransactionSystemException.class);

    private static final List<Class<? extends Throwable>> TIMED_OUT =
            List.of(TransactionTimedOutException.class, QueryTimeoutException.class);

    /**
     * Connection lost, rolled back by a conflict, out of resources, lock not available, server going down, fail-over to a
     * read-only server, time limits of sitting transactions; and, behind a pooler, a prepared statement that is another
     * server's.
     */
    private static final List<String> TRANSIENT =
            List.of("08", "40", "53", "55P03", "57P", "25006", "25P03", "25P04", "26000", "42P05");

    /** Credentials, names and rights, system errors, internal errors. */
    private static final List<String> FATAL = List.of("28", "42", "58", "XX");

    /** Values that don't fit, and constraints that they violate. */
    private static final List<String> DATA = List.of("22", "23");

    /** The server, or what stands between, may have answered after the COMMIT was written. */
    private static final List<String> IN_DOUBT = List.of("08", "40003", "53", "57P", "58", "F0", "XX");

    private SqlStates() {}

    static FailureKind classify(Throwable failure) {
        List<Throwable> chain = chain(failure);
        if (hasAny(chain, PASSES)) {
            return FailureKind.TRANSIENT;
        }
        Optional<SQLException> decisive = decisive(chain);
        if (decisive.isPresent()) {
            return classify(decisive.get());
        }
        if (hasAny(chain, TIMED_OUT)) {
            return FailureKind.TIMED_OUT;
        }
        return hasAny(chain, ENDED_BADLY) && hasAny(chain, List.of(SQLException.class))
                ? FailureKind.TRANSIENT
                : FailureKind.HANDLER;
    }

    /** Whether it is one of the exceptions that tell of a connection, and of nothing that was sent on it. */
    static boolean passes(Throwable failure) {
        return hasAny(List.of(failure), PASSES);
    }

    private static FailureKind classify(SQLException failure) {
        String state = failure.getSQLState();
        if (startsWithAny(state, TRANSIENT) || isStalePlan(failure)) {
            return FailureKind.TRANSIENT;
        }
        if (state.equals(QUERY_CANCELED)) {
            return FailureKind.TIMED_OUT;
        }
        if (startsWithAny(state, FATAL)) {
            return FailureKind.FATAL;
        }
        return startsWithAny(state, DATA) ? FailureKind.DATA : FailureKind.HANDLER;
    }

    private static boolean isStalePlan(SQLException failure) {
        return failure.getSQLState().equals("0A000")
                && String.valueOf(failure.getMessage()).contains("cached plan");
    }

    /**
     * Whether a failure of COMMIT leaves its outcome open. When in doubt it does: claiming the lane again settles it, while
     * a wrong "rolled back" doubles a batch.
     */
    static boolean isInDoubt(Throwable commitFailure) {
        List<Throwable> chain = chain(commitFailure);
        List<String> states = states(chain).toList();
        return states.isEmpty()
                || states.stream().anyMatch(state -> startsWithAny(state, IN_DOUBT))
                || chain.stream().anyMatch(IOException.class::isInstance);
    }

    static boolean isKeyConflict(Throwable failure) {
        return contains(failure, UNIQUE_VIOLATION);
    }

    static boolean contains(Throwable failure, String state) {
        return states(chain(failure)).anyMatch(state::equals);
    }

    /** What the server said, without where. */
    static String message(DataAccessException failure) {
        return failure.getRootCause() instanceof PSQLException error && error.getServerErrorMessage() != null
                ? String.valueOf(error.getServerErrorMessage().getMessage())
                : String.valueOf(failure.getMessage());
    }

    /** The first SQLState that isn't an echo; an echo if there is nothing else. */
    private static Optional<SQLException> decisive(List<Throwable> chain) {
        List<SQLException> withState = chain.stream()
                .filter(SQLException.class::isInstance)
                .map(SQLException.class::cast)
                .filter(exception -> exception.getSQLState() != null)
                .toList();
        return withState.stream()
                .filter(exception -> !exception.getSQLState().equals(ECHO))
                .findFirst()
                .or(() -> withState.stream().findFirst());
    }

    private static Stream<String> states(List<Throwable> chain) {
        return chain.stream()
                .filter(SQLException.class::isInstance)
                .map(exception -> ((SQLException) exception).getSQLState())
                .filter(Objects::nonNull);
    }

    private static boolean hasAny(List<Throwable> chain, List<Class<? extends Throwable>> types) {
        return chain.stream().anyMatch(link -> types.stream().anyMatch(type -> type.isInstance(link)));
    }

    private static boolean startsWithAny(String state, List<String> prefixes) {
        return prefixes.stream().anyMatch(state::startsWith);
    }

    /** The failure, its causes, and the exceptions that a batch update hangs beside its first, outermost first. */
    private static List<Throwable> chain(Throwable failure) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Throwable> chain = new ArrayList<>();
        Deque<@Nullable Throwable> open = new ArrayDeque<>(List.of(failure));
        while (!open.isEmpty()) {
            Throwable link = open.poll();
            if (link == null || !seen.add(link)) {
                continue;
            }
            chain.add(link);
            if (link instanceof TransactionSystemException system && system.getApplicationException() != null) {
                // The roll-back failed too, and hides what it was for.
                open.add(system.getApplicationException());
            }
            if (link.getCause() != null) {
                open.add(link.getCause());
            }
            if (link instanceof SQLException exception && exception.getNextException() != null) {
                open.add(exception.getNextException());
            }
        }
        return chain;
    }
}
