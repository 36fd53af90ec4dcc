package io.github.tandemstreams.postgres;

import io.github.tandemstreams.RecordFailedException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;
import org.springframework.dao.DataAccessException;

/**
 * One row could not be written, and it is known which. Where the rows were the values of a batch in their order, the row's
 * place is the record's, and when the records to blame are looked for it is tried first.
 */
public final class RowFailedException extends RecordFailedException {

    /** What Postgres says of where it was, whatever its language: {@code COPY table, line 3, column x: "…"}. */
    private static final Pattern PLACE =
            Pattern.compile("^COPY [^,]+, \\D*(\\d+)(?:, \\S+ ([^:\\n]+))?", Pattern.MULTILINE);

    private final String message;
    private final int index;
    private final @Nullable String column;

    RowFailedException(String table, int index, @Nullable String column, Throwable cause) {
        super(index, cause);
        this.message = "Row " + index + (column == null ? "" : ", column " + column) + " can't be written to " + table
                + ": " + rootOf(cause).getMessage();
        this.index = index;
        this.column = column;
    }

    /** The failure with the row that it is about, if Postgres says so; as it is otherwise. */
    static RuntimeException of(String table, int rows, DataAccessException refused) {
        if (!(refused.getRootCause() instanceof PSQLException error) || error.getServerErrorMessage() == null) {
            return refused;
        }
        ServerErrorMessage details = error.getServerErrorMessage();
        Matcher place = PLACE.matcher(details.getWhere() == null ? "" : details.getWhere());
        if (!place.find()) {
            return refused;
        }
        int index = Integer.parseInt(place.group(1)) - 1;
        String column = place.group(2) == null ? details.getColumn() : place.group(2);
        return index < rows ? new RowFailedException(table, index, column, refused) : refused;
    }

    private static Throwable rootOf(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return root;
    }

    @Override
    public String getMessage() {
        return message;
    }

    /** Place of the row among those given to {@link PostgresWriter#write}, from 0. */
    public int index() {
        return index;
    }

    /** Name of the column, if it is known. */
    public @Nullable String column() {
        return column;
    }
}
