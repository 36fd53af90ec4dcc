package io.github.tandemstreams.jdbc;

import java.nio.charset.StandardCharsets;

/**
 * Name of the schema that holds the checkpoint.
 *
 * @param name the name as it stands in the catalogue, unquoted
 */
record SchemaName(String name) {

    private static final int MAX_BYTES = 63;

    SchemaName {
        if (name.isBlank() || name.indexOf('\0') >= 0 || bytes(name) > MAX_BYTES) {
            throw new IllegalArgumentException("Schema name '" + name + "' must have 1 to " + MAX_BYTES + " bytes");
        }
        if (name.startsWith("pg_") || name.equals("information_schema")) {
            throw new IllegalArgumentException("Schema name '" + name + "' is reserved by Postgres");
        }
        if (name.equalsIgnoreCase("public")) {
            throw SchemaException.isPublic(name);
        }
    }

    private static int bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8).length;
    }

    /** The statement, with the names that it qualifies as {@code tandem.…} in this schema. */
    String in(String sql) {
        return sql.replace("tandem.", '"' + name.replace("\"", "\"\"") + "\".");
    }
}
