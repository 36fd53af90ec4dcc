package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.jdbc.SchemaException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what to do about the checkpoint's schema. */
final class SchemaFailureAnalyzer extends AbstractFailureAnalyzer<SchemaException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, SchemaException cause) {
        return new FailureAnalysis(description(cause), action(cause), cause);
    }

    private static String description(SchemaException cause) {
        String schema = "schema '" + cause.schema() + "'";
        return switch (cause.problem()) {
            case PUBLIC -> "The checkpoint can't be in " + schema + ": its tables could clash with the application's.";
            case NOT_PERMITTED ->
                "The database role isn't allowed to create, or to use, the checkpoint's tables in " + schema + ".";
            case MISSING -> "The database has no checkpoint in " + schema + ".";
            case OUTDATED ->
                "The checkpoint's tables in " + schema + " have version "
                        + (cause.found() == null ? "none" : cause.found())
                        + ", but this version of Tandem needs version "
                        + cause.needed() + ".";
        };
    }

    private static String action(SchemaException cause) {
        return switch (cause.problem()) {
            case PUBLIC -> "Set tandem.schema.name to a schema of its own. By default, it is 'tandem'.";
            case NOT_PERMITTED ->
                "Let a role that is allowed to create a schema do the migrations (tandem.schema.migration-user,"
                        + " tandem.schema.migration-password), or grant the right to this one, or have somebody else run the"
                        + " migrations and set tandem.schema.migrate=false. docs/permissions.md lists the rights that the"
                        + " application needs in any case.";
            case MISSING, OUTDATED ->
                "Set tandem.schema.migrate=true, or have somebody else run the migrations, as docs/permissions.md says."
                        + " If tandem.schema.migration-url is set, make sure that it leads to the database of the stream's"
                        + " DataSource.";
        };
    }
}
