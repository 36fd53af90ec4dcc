package io.github.tandemstreams.postgres;

import java.lang.invoke.CallSite;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which columns a row has, and where their values come from. */
final class RowMapping<T> {

    private static final Pattern NEXT_WORD = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

    private final Map<String, Function<? super T, ? extends @Nullable Object>> values = new LinkedHashMap<>();

    /** A column of a row. */
    record Column<T>(String name, Function<? super T, ? extends @Nullable Object> value) {

        /** For SQL, whatever characters it has. */
        String quoted() {
            return '"' + name.replace("\"", "\"\"") + '"';
        }
    }

    /** The components of a record. */
    static <T extends Record> RowMapping<T> of(Class<T> rows) {
        RowMapping<T> mapping = new RowMapping<>();
        for (RecordComponent component : rows.getRecordComponents()) {
            mapping.put(snakeCase(component.getName()), reading(component));
        }
        return mapping;
    }

    void put(String column, Function<? super T, ? extends @Nullable Object> value) {
        values.put(column, value);
    }

    void remove(Collection<String> columns) {
        if (!values.keySet().containsAll(columns)) {
            throw new IllegalArgumentException("Of the columns " + columns + " not all are among " + values.keySet());
        }
        columns.forEach(values::remove);
    }

    List<Column<T>> columns() {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("A row has no columns: say column(…)");
        }
        return values.entrySet().stream()
                .map(entry -> new Column<T>(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static String snakeCase(String name) {
        return NEXT_WORD.matcher(name).replaceAll("_").toLowerCase(Locale.ROOT);
    }

    private static <T> Function<T, @Nullable Object> reading(RecordComponent component) {
        Method accessor = component.getAccessor();
        accessor.setAccessible(true);
        try {
            return compiled(accessor);
        } catch (Throwable notHere) {
            // Its module is closed to ours, or nothing can be compiled while the application runs.
            return reflective(accessor);
        }
    }

    /** As if it were written here: {@code row -> row.accessor()}. */
    @SuppressWarnings("unchecked")
    private static <T> Function<T, @Nullable Object> compiled(Method accessor) throws Throwable {
        MethodHandles.Lookup lookup =
                MethodHandles.privateLookupIn(accessor.getDeclaringClass(), MethodHandles.lookup());
        MethodHandle handle = lookup.unreflect(accessor);
        CallSite site = LambdaMetafactory.metafactory(
                lookup,
                "apply",
                MethodType.methodType(Function.class),
                MethodType.methodType(Object.class, Object.class),
                handle,
                handle.type().wrap());
        return (Function<T, @Nullable Object>) site.getTarget().invoke();
    }

    private static <T> Function<T, @Nullable Object> reflective(Method accessor) {
        return row -> {
            try {
                return accessor.invoke(row);
            } catch (IllegalAccessException impossible) {
                throw new IllegalStateException(impossible);
            } catch (InvocationTargetException thrown) {
                throw new IllegalStateException(accessor.getName() + "() failed", thrown.getCause());
            }
        };
    }
}
