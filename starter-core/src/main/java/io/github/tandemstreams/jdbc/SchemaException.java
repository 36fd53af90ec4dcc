package io.github.tandemstreams.jdbc;

import org.jspecify.annotations.Nullable;

/**
 * The schema of the checkpoint can't be used as it is. Nothing that passes by itself: {@link #problem()} tells what a
 * person has to mend.
 */
public final class SchemaException extends RuntimeException {

    /** What is wrong. */
    public enum Problem {
        /** The schema is {@code public}, where the tables' names could clash with the application's. */
        PUBLIC,
        /** The role may not create the schema or its tables, or may not read them. */
        NOT_PERMITTED,
        /** The schema holds no checkpoint, and nobody creates it: migrations are switched off. */
        MISSING,
        /** The schema is older than this version of the library needs, and migrations are switched off. */
        OUTDATED
    }

    private final Problem problem;
    private final String schema;
    private final @Nullable String found;
    private final @Nullable String needed;

    private SchemaException(
            Problem problem,
            String schema,
            @Nullable String found,
            @Nullable String needed,
            String message,
            @Nullable Throwable cause) {
        super(message, cause);
        this.problem = problem;
        this.schema = schema;
        this.found = found;
        this.needed = needed;
    }

    static SchemaException isPublic(String schema) {
        return new SchemaException(
                Problem.PUBLIC,
                schema,
                null,
                null,
                "The checkpoint can't live in schema '" + schema + "': give it a schema of its own",
                null);
    }

    static SchemaException notPermitted(String schema, Throwable cause) {
        return new SchemaException(
                Problem.NOT_PERMITTED,
                schema,
                null,
                null,
                "The database role has no right to create or read the checkpoint's tables in schema '" + schema + "'",
                cause);
    }

    static SchemaException missing(String schema, String needed, Throwable cause) {
        return new SchemaException(
                Problem.MISSING,
                schema,
                null,
                needed,
                "Schema '" + schema + "' holds no checkpoint; version " + needed + " of its tables is needed",
                cause);
    }

    static SchemaException outdated(String schema, @Nullable String found, String needed) {
        return new SchemaException(
                Problem.OUTDATED,
                schema,
                found,
                needed,
                "The checkpoint's tables in schema '" + schema + "' have version " + (found == null ? "none" : found)
                        + ", but version " + needed + " is needed",
                null);
    }

    /** What is wrong. */
    public Problem problem() {
        return problem;
    }

    /** Name of the schema. */
    public String schema() {
        return schema;
    }

    /** Version of the tables; null if there is none, or if it doesn't matter. */
    public @Nullable String found() {
        return found;
    }

    /** Version that is needed; null if it doesn't matter. */
    public @Nullable String needed() {
        return needed;
    }
}
