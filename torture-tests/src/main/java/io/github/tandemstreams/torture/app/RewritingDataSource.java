package io.github.tandemstreams.torture.app;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A DataSource whose prepared statements have another text than they were prepared with. */
final class RewritingDataSource extends DelegatingDataSource {

    private final UnaryOperator<String> rewriting;

    RewritingDataSource(DataSource target, UnaryOperator<String> rewriting) {
        super(target);
        this.rewriting = rewriting;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection target = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        arguments[0] = rewriting.apply((String) arguments[0]);
                    }
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
    }
}
