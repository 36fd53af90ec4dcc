package io.github.tandemstreams.postgres;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The types that a table's columns have, asked of the database once.
 *
 * <p>Threading: safe for use by several threads.
 */
final class TableColumns {

    private static final String TYPES = """
            select a.attname, format_type(a.atttypid, -1) as type, t.typname in ('json', 'jsonb') as is_json
              from pg_attribute a
              join pg_type t on t.oid = a.atttypid
             where a.attrelid = ?::regclass and a.attnum > 0 and not a.attisdropped
            """;

    private final String table;
    private final List<String> names;
    private final JdbcTemplate jdbc;
    private volatile List<Type> types = List.of();

    /** @param names of the columns that are written */
    TableColumns(String table, List<String> names, JdbcTemplate jdbc) {
        this.table = table;
        this.names = names;
        this.jdbc = jdbc;
    }

    /**
     * A column's type.
     *
     * @param name as SQL has it
     * @param isJson whether it is json or jsonb
     */
    record Type(String name, boolean isJson) {}

    /** The types of the columns that are written, in their order; without lengths, so that a cast cuts nothing off. */
    List<Type> types() {
        List<Type> known = types;
        if (known.isEmpty()) {
            known = ask();
            types = known;
        }
        return known;
    }

    private List<Type> ask() {
        Map<String, Type> found = new HashMap<>();
        jdbc.query(
                TYPES,
                row -> {
                    found.put(row.getString("attname"), new Type(row.getString("type"), row.getBoolean("is_json")));
                },
                table);
        List<String> missing =
                names.stream().filter(name -> !found.containsKey(name)).toList();
        if (!missing.isEmpty()) {
            // Of the kind that Postgres would throw: it is no record's fault, and no retry helps.
            String problem = "Table " + table + " has no columns " + missing + "; it has "
                    + found.keySet().stream().sorted().toList() + ". Name them with column(…), or leave them out with"
                    + " without(…)";
            throw new BadSqlGrammarException(problem, TYPES, new SQLException(problem, "42703"));
        }
        return names.stream().map(found::get).toList();
    }
}
