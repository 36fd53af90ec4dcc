package io.github.tandemstreams.benchmarks.servers;

import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** A database that lasts for one run. */
public final class Database implements AutoCloseable {

    private final Postgres postgres;
    private final String name;
    private final DataSource dataSource;

    Database(Postgres postgres, String name) {
        this.postgres = postgres;
        this.name = name;
        dataSource = postgres.dataSource(name);
    }

    String name() {
        return name;
    }

    /** Of the JDBC driver; further parameters may follow after an ampersand. */
    public String url() {
        return postgres.url(name);
    }

    /** A new connection each time. */
    public DataSource dataSource() {
        return dataSource;
    }

    /** Likewise. */
    public JdbcTemplate jdbc() {
        return new JdbcTemplate(dataSource);
    }

    @Override
    public void close() {
        postgres.drop(name);
    }
}
