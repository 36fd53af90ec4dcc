package io.github.tandemstreams.postgres;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The types that a table's columns have, asked of the database once.
 *
 * <p>Threading: safe for use by several threads.
 */
final class TableColumns {

    private static final String TYPES = """
            with recursive found (attname, type, typmod, collated) as (
                select a.attname, a.atttypid, a.atttypmod, a.attcollation
                  from pg_attribute a
                 where a.attrelid = ?::regclass and a.attnum > 0 and not a.attisdropped
                union all
                select f.attname, d.typbasetype, d.typtypmod, f.collated
                  from found f
                  join pg_type d on d.oid = f.type and d.typtype = 'd'
            )
            select f.attname, format_type(b.oid, case when b.typname !~ '^_?(varchar|bpchar|bit|varbit)$'
                                                      then f.typmod else -1 end) as type,
                   case when f.collated <> b.typcollation then f.collated::regcollation::text end as collation,
                   b.typname in ('json', 'jsonb') as is_json, b.typname = 'timestamp' as is_local,
                   case when current_setting('transaction_isolation') not like 'read %' then ''
                        when b.typtype = 'e' then 'enum'
                        when b.typnamespace = 'pg_catalog'::regnamespace then b.typname
                        else '' end as known_as
              from found f
              join pg_type b on b.oid = f.type and b.typtype <> 'd'
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
     * A column's type; of a domain, what it is over.
     *
     * @param name as SQL has it, with the precision that two keys may be equal by, and without the length that a cast would
     *     cut a text to in silence
     * @param collation by which two keys may be equal, if it isn't the type's own
     * @param isJson whether it is json or jsonb
     * @param isLocal whether it is a timestamp without time zone, which ignores the offset of what it is given
     * @param binary how its values are sent in binary; null if that isn't known, or if the transaction's snapshot can't tell
     *     afterwards whether they were right
     */
    record Type(
            String name,
            @Nullable String collation,
            boolean isJson,
            boolean isLocal,
            @Nullable BinaryType binary) {}

    /** The types of the columns that are written, in their order. */
    List<Type> types() {
        List<Type> known = types;
        if (known.isEmpty()) {
            known = ask();
            types = known;
        }
        return known;
    }

    /**
     * Sees that the table still had these types. Once something was written into it, nobody can alter it before the
     * transaction's end; before that somebody may have. Binary values of another type can be taken for what they aren't, and
     * what was cast to the former type may have lost digits that the column has room for now. Above READ COMMITTED what was
     * altered since the transaction's snapshot can't be seen.
     *
     * @throws ConcurrencyFailureException if they are others now: another run of the transaction asks anew
     */
    void verify(List<Type> used) {
        if (!ask().equals(used)) {
            String problem = "Table " + table + " was altered while rows were written into it; they are written again";
            throw new ConcurrencyFailureException(problem, new SQLException(problem, "40001"));
        }
    }

    /** After a failure: the table may have been altered. */
    void forget() {
        types = List.of();
    }

    private List<Type> ask() {
        Map<String, Type> found = new HashMap<>();
        jdbc.query(
                TYPES,
                row -> {
                    found.put(
                            row.getString("attname"),
                            new Type(
                                    row.getString("type"),
                                    row.getString("collation"),
                                    row.getBoolean("is_json"),
                                    row.getBoolean("is_local"),
                                    BinaryType.named(row.getString("known_as"))));
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
