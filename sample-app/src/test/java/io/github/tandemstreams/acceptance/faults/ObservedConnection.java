package io.github.tandemstreams.acceptance.faults;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.regex.Pattern;

/** Tells by its statements where a connection is in the life of a batch. */
final class ObservedConnection implements InvocationHandler {

    private static final Pattern PLAN = insertInto("offset_log");
    private static final Pattern COMMIT = insertInto("commit_log");
    private static final Pattern FLIGHTS = insertInto("flight");
    private static final Pattern SUMS = insertInto("airport_delay");

    private final Connection target;
    private final Faults faults;

    private boolean commits;
    private boolean flightsInserted;

    private ObservedConnection(Connection target, Faults faults) {
        this.target = target;
        this.faults = faults;
    }

    static Connection of(Connection target, Faults faults) {
        return proxy(Connection.class, new ObservedConnection(target, faults));
    }

    private static Pattern insertInto(String table) {
        return Pattern.compile("insert\\s+into\\s+(\\S+\\.)?\"?" + table + "\\b", Pattern.CASE_INSENSITIVE);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        return switch (method.getName()) {
            case "prepareStatement" -> prepare((String) arguments[0], method, arguments);
            case "commit" -> commit(method);
            case "rollback", "close" -> {
                forget();
                yield call(target, method, arguments);
            }
            default -> call(target, method, arguments);
        };
    }

    private Object prepare(String sql, Method method, Object[] arguments) throws Throwable {
        if (flightsInserted && SUMS.matcher(sql).find()) {
            flightsInserted = false;
            faults.betweenStatements(target);
        }
        boolean commit = COMMIT.matcher(sql).find();
        commits |= commit;
        PreparedStatement statement = (PreparedStatement) call(target, method, arguments);
        if (!commit && PLAN.matcher(sql).find()) {
            return planning(statement);
        }
        return FLIGHTS.matcher(sql).find() ? observed(statement) : statement;
    }

    /** It is the whole transaction of the plan, its COMMIT with it. */
    private PreparedStatement planning(PreparedStatement statement) {
        return proxy(PreparedStatement.class, (proxy, method, arguments) -> {
            Object answer = call(statement, method, arguments);
            if (method.getName().startsWith("execute")) {
                faults.passes(CrashPoint.AFTER_PLAN);
            }
            return answer;
        });
    }

    private PreparedStatement observed(PreparedStatement statement) {
        return proxy(PreparedStatement.class, (proxy, method, arguments) -> {
            if (method.getName().equals("setString")) {
                faults.writes((String) arguments[1]);
            }
            Object answer = call(statement, method, arguments);
            flightsInserted |= method.getName().startsWith("execute");
            return answer;
        });
    }

    private Object commit(Method method) throws Throwable {
        boolean batch = commits;
        forget();
        if (batch) {
            faults.passes(CrashPoint.BEFORE_COMMIT);
        }
        Object nothing = call(target, method, null);
        if (batch) {
            faults.passes(CrashPoint.AFTER_COMMIT);
        }
        return nothing;
    }

    private void forget() {
        commits = false;
        flightsInserted = false;
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException failure) {
            throw failure.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
