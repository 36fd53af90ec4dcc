package io.github.tandemstreams.torture.app;

import org.springframework.jdbc.core.JdbcTemplate;

/** The tables that the application writes to. */
public final class Tables {

    private static final String SEEN = """
            create table seen (
                topic text not null, part integer not null, off bigint not null, key text not null, val text,
                batch_id bigint not null, instance text not null,
                check (key not like 'refused-%'))
            """;

    private static final String RUNNING = """
            create table running (
                topic text not null, part integer not null, n bigint not null, chain text not null,
                primary key (topic, part))
            """;

    private Tables() {}

    /** Creates them; everybody may write to them. */
    public static void create(JdbcTemplate jdbc) {
        jdbc.execute(SEEN);
        jdbc.execute(RUNNING);
        jdbc.execute("grant all on seen, running to public");
    }
}
