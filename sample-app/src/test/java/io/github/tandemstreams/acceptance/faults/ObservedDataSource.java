package io.github.tandemstreams.acceptance.faults;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A DataSource whose connections are observed. Spring's wrapper, so that whoever looks for the pool finds it. */
final class ObservedDataSource extends DelegatingDataSource {

    private final Faults faults;

    ObservedDataSource(DataSource target, Faults faults) {
        super(target);
        this.faults = faults;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return ObservedConnection.of(super.getConnection(), faults);
    }
}
