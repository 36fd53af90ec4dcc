package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.autoconfigure.StreamDatabases.Kind;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What can be wrong with a stream's database, and what to do about it. */
final class DatabaseMistakes {

    private DatabaseMistakes() {}

    static TandemConfigurationException none(String stream, Kind<?> kind) {
        return new TandemConfigurationException(
                "Stream '" + stream + "' needs a " + kind.noun() + ", but there is no bean of type "
                        + kind.type().getName() + ".",
                kind.type() == DataSource.class
                        ? "Set spring.datasource.url to a PostgreSQL database, or define a DataSource bean."
                        : "Define a JdbcTransactionManager or a JpaTransactionManager for the stream's DataSource.");
    }

    static TandemConfigurationException noBean(String stream, Kind<?> kind, String name, List<String> candidates) {
        return new TandemConfigurationException(
                "Stream '" + stream + "' is configured to use the " + kind.noun() + " '" + name
                        + "', but there is no such bean. " + listed(kind, candidates),
                "Correct tandem.streams." + stream + "." + kind.property() + ".");
    }

    static TandemConfigurationException ambiguous(String stream, Kind<?> kind, List<String> candidates) {
        return new TandemConfigurationException(
                "Stream '" + stream + "' could use more than one " + kind.noun() + ": " + String.join(", ", candidates)
                        + ".",
                "Name one in tandem.streams." + stream + "." + kind.property() + ", or mark one as @Primary.");
    }

    static TandemConfigurationException mismatch(
            String stream, String dataSource, String manager, Class<?> managerType, @Nullable String boundTo) {
        String binds = boundTo == null
                ? "manages no JDBC transactions of it (" + managerType.getSimpleName() + ")"
                : "belongs to the DataSource '" + boundTo + "'";
        return new TandemConfigurationException(
                "The transaction manager '" + manager + "' and the DataSource '" + dataSource + "' of stream '" + stream
                        + "' don't belong together: the transaction manager " + binds
                        + ". The handler's writes and the batch would not commit in one transaction.",
                "Name a DataSource and its own transaction manager in tandem.streams." + stream
                        + ".data-source and tandem.streams." + stream + ".transaction-manager, or define a transaction"
                        + " manager for '" + dataSource + "'.");
    }

    static TandemConfigurationException notPostgres(String dataSource, String product) {
        return new TandemConfigurationException(
                "The DataSource '" + dataSource + "' leads to " + product
                        + ", but the checkpoint of a stream needs PostgreSQL.",
                "Let spring.datasource.url lead to a PostgreSQL database, or name another DataSource in"
                        + " tandem.streams.<name>.data-source.");
    }

    private static String listed(Kind<?> kind, List<String> candidates) {
        return candidates.isEmpty()
                ? "There is no " + kind.noun() + " at all."
                : "There are: " + String.join(", ", candidates) + ".";
    }
}
