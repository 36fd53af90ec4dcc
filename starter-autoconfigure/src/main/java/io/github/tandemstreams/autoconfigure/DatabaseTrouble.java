package io.github.tandemstreams.autoconfigure;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.springframework.core.NestedRuntimeException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * What to tell of a database that can't do it now, but will again by itself. For those that answer over the web: the
 * actuator's endpoint and the dashboard.
 */
public final class DatabaseTrouble {

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    /** Without a connection a transaction can't even begin, which is no {@code DataAccessException}. */
    private static final List<Class<? extends NestedRuntimeException>> AWAY = List.of(
            TransactionException.class,
            DataAccessResourceFailureException.class,
            RecoverableDataAccessException.class,
            TransientDataAccessException.class);

    private DatabaseTrouble() {}

    /** Empty if it won't pass by itself, as a right that is missing. */
    public static Optional<String> of(NestedRuntimeException failure) {
        if (isLocked(failure)) {
            return Optional.of("Somebody holds a lock that this needs, of a lane or of the stream; try again");
        }
        return AWAY.stream().anyMatch(type -> type.isInstance(failure))
                ? Optional.of("The database can't be reached")
                : Optional.empty();
    }

    private static boolean isLocked(Throwable failure) {
        for (Throwable link = failure; link != null; link = link.getCause()) {
            if (link instanceof SQLException refused && LOCK_NOT_AVAILABLE.equals(refused.getSQLState())) {
                return true;
            }
        }
        return false;
    }
}
