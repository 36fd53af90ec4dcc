package io.github.tandemstreams.simulation;

import java.sql.SQLException;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessResourceFailureException;

/** Failures as Spring and the driver would throw them. */
public final class Failures {

    private Failures() {}

    /** The connection is gone. */
    public static RuntimeException lost() {
        return new DataAccessResourceFailureException(
                "simulated", new SQLException("the connection was lost", "08006"));
    }

    /** The server has rolled back because of a conflict. */
    public static RuntimeException refused() {
        return new CannotAcquireLockException("simulated", new SQLException("rolled back by the server", "40001"));
    }
}
