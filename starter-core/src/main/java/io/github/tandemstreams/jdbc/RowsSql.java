package io.github.tandemstreams.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A statement about rows that come as its parameters, bound by {@link Columns}. It is written once, with
 * <code>{rows m: stream text, lane text}</code> where the rows stand, and sent in one of two forms: a single row comes as
 * values, which the planner folds into its conditions; several come as one array for each column, so that the text
 * doesn't depend on how many there are.
 *
 * @param one the statement for a single row
 * @param many the statement for any number of rows
 */
record RowsSql(String one, String many) {

    private static final Pattern ROWS = Pattern.compile("\\{rows (\\w+): ([^}]*)}");

    static RowsSql of(String template) {
        return of(template, template);
    }

    /** A statement that differs in more than its rows. */
    static RowsSql of(String one, String many) {
        return new RowsSql(expand(one, true), expand(many, false));
    }

    /** The form for so many rows. */
    String of(int rows) {
        return rows == 1 ? one : many;
    }

    private static String expand(String template, boolean single) {
        Matcher rows = ROWS.matcher(template);
        return rows.replaceAll(found -> {
            List<String> names = new ArrayList<>();
            List<String> types = new ArrayList<>();
            for (String column : found.group(2).split(",")) {
                String[] words = column.strip().split(" ");
                names.add(words[0]);
                types.add(words[1]);
            }
            String parameters = types.stream()
                    .map(type -> single ? "?::" + type : "?::" + type + "[]")
                    .collect(Collectors.joining(", ", single ? "(values (" : "unnest(", single ? "))" : ")"));
            return parameters + " as " + found.group(1) + " (" + String.join(", ", names) + ")";
        });
    }
}
