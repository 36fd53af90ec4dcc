package io.github.tandemstreams.torture.check;

import java.util.List;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/** What stands in the tables, in numbers and for messages. */
public final class Counts {

    private static final String WAITING = """
            select format('%s: %s at %s, batch %s, held by %s%s', lane, state, position, last_batch, instance,
                          ': ' || failure)
              from tandem.lane
             order by lane
            """;

    private final JdbcTemplate jdbc;

    public Counts(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** Records that came to an end; 0 where that can't be told yet. */
    public long done() {
        try {
            return seen() + deadLetters();
        } catch (DataAccessException notYet) {
            return 0;
        }
    }

    public long seen() {
        return count("select count(*) from seen");
    }

    public long deadLetters() {
        return count("select count(*) from tandem.dead_letter");
    }

    public long batches() {
        return count("select count(*) from tandem.commit_log");
    }

    /** Epochs of all lanes: each claim is one. */
    public long claims() {
        return count("select coalesce(sum(epoch), 0) from tandem.lane");
    }

    /** Where each lane stands, for people. */
    public List<String> lanes() {
        return jdbc.queryForList(WAITING, String.class);
    }

    private long count(String sql) {
        Long count = jdbc.queryForObject(sql, Long.class);
        return count == null ? 0 : count;
    }
}
