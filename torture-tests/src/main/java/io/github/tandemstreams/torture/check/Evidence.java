package io.github.tandemstreams.torture.check;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.postgresql.PGConnection;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/** The tables as files, for whoever looks for the cause. */
public final class Evidence {

    private static final List<String> TABLES = List.of(
            "seen",
            "running",
            "checker.expected",
            "tandem.lane",
            "tandem.offset_log",
            "tandem.commit_log",
            "tandem.dead_letter");

    private final JdbcTemplate jdbc;
    private final Path directory;

    public Evidence(JdbcTemplate jdbc, Path directory) {
        this.jdbc = jdbc;
        this.directory = directory;
    }

    /** Writes one file for each table. */
    public void keep() {
        jdbc.execute((ConnectionCallback<Boolean>) connection -> {
            PGConnection postgres = connection.unwrap(PGConnection.class);
            for (String table : TABLES) {
                try (OutputStream out = Files.newOutputStream(directory.resolve(table + ".csv"))) {
                    postgres.getCopyAPI().copyOut("copy " + table + " to stdout with (format csv, header)", out);
                } catch (IOException failure) {
                    throw new SQLException(failure);
                }
            }
            return true;
        });
    }
}
