package io.github.tandemstreams.benchmarks.jmh;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/** A COPY whose bytes go nowhere, on a connection where all else works. */
final class UnsentCopy extends CopyManager {

    private UnsentCopy(BaseConnection connection) throws SQLException {
        super(connection);
    }

    /** The connection, with such a COPY in the place of the driver's. */
    static Connection on(Connection connection) throws SQLException {
        UnsentCopy copy = new UnsentCopy(connection.unwrap(BaseConnection.class));
        PGConnection postgres = of(PGConnection.class, (proxy, method, arguments) -> copy);
        return of(
                Connection.class,
                (proxy, method, arguments) -> method.getName().equals("unwrap") && arguments[0] == PGConnection.class
                        ? postgres
                        : method.invoke(connection, arguments));
    }

    @Override
    public CopyIn copyIn(String sql) {
        return of(CopyIn.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "endCopy" -> 0L;
            case "isActive" -> false;
            default -> null;
        });
    }

    private static <T> T of(Class<T> type, InvocationHandler answers) {
        return type.cast(Proxy.newProxyInstance(UnsentCopy.class.getClassLoader(), new Class<?>[] {type}, answers));
    }
}
