package io.github.tandemstreams.jdbc;

/** Statements on settings. All are local to the transaction: behind a pooler the session belongs to others too. */
final class Settings {

    private static final String IDLE = "idle_in_transaction_session_timeout";

    /**
     * Bounds the time that a process which is paused may hold row locks, unless it is bounded closer already, and raises
     * the durability of COMMIT to that of {@code on} at least: a plan that was acknowledged must not be lost.
     */
    static final String BOUND_COMMIT = """
            select case when session.idle = interval '0' or session.idle > interval '15 s'
                        then set_config('%1$s', '15s', true) end as idle,
                   case when session.sync not in ('on', 'remote_apply')
                        then set_config('synchronous_commit', 'on', true) end as sync,
                   (extract(epoch from session.idle) * 1000)::bigint as idle_before
              from (select current_setting('%1$s')::interval as idle,
                           current_setting('synchronous_commit') as sync
                    offset 0) session""".formatted(IDLE);

    /** Of a transaction of our own. The idle time that it reads is that of the session: nothing was set before. */
    private static final String OWN = BOUND_COMMIT.replaceFirst(
            "select",
            "select set_config('lock_timeout', '5s', true),"
                    + " current_setting('default_transaction_isolation') = 'read committed' as read_committed,");

    /**
     * Begins a transaction of our own that JDBC has begun. The isolation level is set by a statement, because the JDBC setter
     * changes the session.
     */
    static final String BEGIN = "set transaction isolation level read committed;\n" + OWN;

    private static final String ALONE = "begin isolation level read committed;\n" + OWN + ";\n%s;\nCOMMIT";

    /** A whole transaction of our own, of one statement, to be sent where JDBC begins none. */
    static String alone(String statement) {
        return ALONE.replace("%s", statement.strip());
    }

    /** Sets a limit in milliseconds to the idle time of the transaction, unless a closer one holds. */
    static final String LIMIT_IDLE_TIME = """
            select set_config('%1$s', limits.wanted, true)
              from (select current_setting('%1$s')::interval as idle, ?::text as wanted offset 0) limits
             where limits.idle = interval '0' or limits.idle > limits.wanted::interval
            """.formatted(IDLE);

    /** Fails in a transaction that has failed already. */
    static final String CHECK = "select 1";

    /** Checks deferred constraints now, and lets those that come be deferred again. */
    static final String CHECK_DEFERRED = "set constraints all immediate; set constraints all deferred";

    private Settings() {}
}
