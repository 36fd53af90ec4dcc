package io.github.tandemstreams.jdbc;

import java.sql.SQLException;
import java.sql.Statement;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

/**
 * Takes the {@code search_path} back in the transaction of each migration. Flyway sets it for the session, and sets it back
 * when all is done; behind a pooler in transaction mode that may be another session, and whoever gets the first one would
 * look for its own tables in our schema.
 */
final class SearchPathReset implements Callback {

    @Override
    public boolean supports(Event event, Context context) {
        return event == Event.AFTER_EACH_MIGRATE;
    }

    @Override
    public boolean canHandleInTransaction(Event event, Context context) {
        return true;
    }

    @Override
    public void handle(Event event, Context context) {
        try (Statement statement = context.getConnection().createStatement()) {
            statement.execute("reset search_path");
        } catch (SQLException failure) {
            throw new FlywayException("The search_path can't be reset", failure);
        }
    }

    @Override
    public String getCallbackName() {
        return "search-path-reset";
    }
}
