package io.github.tandemstreams.jdbc;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Errors of the database in words that hold nothing of a row. Postgres quotes rows in the detail of a message ({@code Failing
 * row contains (…)}), the driver adds that detail to the message of its exception, and a failed batch has the whole statement
 * with its values in it. What is told here are the SQLState, the main part of the server's message where that names tables,
 * columns and constraints only, and these names by themselves.
 */
final class ErrorText {

    /** States whose messages may quote a value, or are written by the user's own functions; and what to say instead. */
    private static final List<Unquoted> UNQUOTED = List.of(
            new Unquoted("22", "data exception"),
            new Unquoted("P0", "raised by a function in the database"),
            new Unquoted("38", "error in a function in the database"),
            new Unquoted("39", "error in a function in the database"),
            new Unquoted("42601", "syntax error"),
            new Unquoted("XX000", "internal error"));

    /**
     * States about names, which often mean nothing to the database. Where the parser points to a place in the statement, the
     * name stands there and is the application's own: a table that is missing is told by its name. Otherwise it was looked up
     * while the statement ran: it was a value, as with {@code ?::regclass}, or stands in a statement that a function put
     * together, and either may be what a record holds.
     */
    private static final List<Unquoted> UNQUOTED_UNLESS_PARSED = List.of(
            new Unquoted("42P01", "undefined table"),
            new Unquoted("42703", "undefined column"),
            new Unquoted("42704", "undefined object"),
            new Unquoted("42883", "undefined function"),
            new Unquoted("42", "error in what a statement names"),
            new Unquoted("3F", "undefined schema"),
            new Unquoted("0A", "feature not supported, or a plan that doesn't fit its table any more"));

    /** Among these, the states of what exists, so that its name is the database's: no right, no unique constraint, a view. */
    private static final Set<String> EXISTING = Set.of("42501", "42P10", "42809");

    /**
     * Files of the server's parser. What tells of a place from elsewhere is of a constant that is looked up, and the driver
     * makes one of a parameter where it sends values in the statement.
     */
    private static final String PARSER = "parse_";

    /** How the server calls the code that raises what a function says, whatever SQLState that chooses. */
    private static final String RAISED = "exec_stmt_";

    private ErrorText() {}

    private record Unquoted(String states, String meaning) {}

    /** What this exception says of itself, without its causes; empty if it may hold what a record holds. */
    static Optional<String> withoutContents(Throwable failure) {
        if (failure instanceof PSQLException error && error.getServerErrorMessage() != null) {
            return Optional.of(words(error.getServerErrorMessage()));
        }
        String message = SqlStates.passes(failure) || isOfConnection(failure) ? failure.getMessage() : null;
        String state = failure instanceof SQLException error ? error.getSQLState() : null;
        if (state == null) {
            return Optional.ofNullable(message);
        }
        return Optional.of("SQLState " + state + (message == null ? "" : ", " + message));
    }

    /** What the driver itself says of a connection; the exception of a batch would quote its statement. */
    private static boolean isOfConnection(Throwable failure) {
        return failure instanceof PSQLException error
                && error.getSQLState() != null
                && error.getSQLState().startsWith("08");
    }

    private static String words(ServerErrorMessage error) {
        String message = message(error);
        StringJoiner words = new StringJoiner(", ");
        words.add("SQLState " + error.getSQLState());
        words.add(message);
        add(words, message, "table", error.getTable());
        add(words, message, "column", error.getColumn());
        add(words, message, "constraint", error.getConstraint());
        return words.toString();
    }

    private static String message(ServerErrorMessage error) {
        String state = String.valueOf(error.getSQLState());
        String routine = error.getRoutine();
        if (routine != null && routine.startsWith(RAISED)) {
            return "raised by a function in the database";
        }
        boolean isName = isParsed(error) || EXISTING.contains(state);
        return meaning(UNQUOTED, state)
                .or(() -> isName ? Optional.empty() : meaning(UNQUOTED_UNLESS_PARSED, state))
                .orElseGet(() -> String.valueOf(error.getMessage()));
    }

    private static boolean isParsed(ServerErrorMessage error) {
        return error.getPosition() > 0
                && error.getFile() != null
                && error.getFile().startsWith(PARSER);
    }

    private static Optional<String> meaning(List<Unquoted> unquoted, String state) {
        return unquoted.stream()
                .filter(some -> state.startsWith(some.states()))
                .findFirst()
                .map(Unquoted::meaning);
    }

    private static void add(StringJoiner words, String message, String what, @Nullable String name) {
        if (name != null && !message.contains('"' + name + '"')) {
            words.add(what + ' ' + name);
        }
    }
}
