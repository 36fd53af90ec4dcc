package io.github.tandemstreams.benchmarks.workloads;

import java.util.Arrays;
import java.util.Locale;

/** What a contender is to do: bring a topic's records into a table. */
public enum Workload {

    /** Each order a row of a table with a primary key. */
    ORDERS("orders", Order.class, "orders", """
            create table orders (id bigint primary key, customer int not null, product text not null,
                quantity int not null, price numeric(10, 2) not null, at timestamptz not null)
            """, """
            insert into orders select (line->>'id')::bigint, (line->>'customer')::int, line->>'product',
                (line->>'quantity')::int, (line->>'price')::numeric, (line->>'at')::timestamptz from input
            """),

    /** Each flight a row of a table without any index. */
    FLIGHTS(
            "flights",
            Flight.class,
            "flight",
            "create table flight (date text, delay int, distance int, origin text, destination text)",
            """
            insert into flight select line->>'date', (line->>'delay')::int, (line->>'distance')::int, line->>'origin',
                line->>'destination' from input
            """),

    /** The orders again, as a row of running totals for each product: all threads meet at the same few rows. */
    TOTALS("orders", Order.class, "product_total", """
            create table product_total (product text primary key, orders bigint not null, quantity bigint not null,
                revenue numeric(16, 2) not null)
            """, """
            insert into product_total select line->>'product', count(*), sum((line->>'quantity')::bigint),
                sum((line->>'quantity')::bigint * (line->>'price')::numeric) from input group by 1
            """);

    private final String topic;
    private final Class<?> type;
    private final String table;
    private final String ddl;
    private final String expectation;

    Workload(String topic, Class<?> type, String table, String ddl, String expectation) {
        this.topic = topic;
        this.type = type;
        this.table = table;
        this.ddl = ddl;
        this.expectation = expectation;
    }

    /** The workload of this label. */
    public static Workload labelled(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no workload '" + label + "'"));
    }

    /** Its name in options, profiles and reports. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Where its records are. */
    public String topic() {
        return topic;
    }

    /** What its records are. */
    public Class<?> type() {
        return type;
    }

    /** What the contender writes to. */
    public String table() {
        return table;
    }

    /** Creates that table. */
    public String ddl() {
        return ddl;
    }

    /** Fills that table as it must be, from a table {@code input} of the topic's records: in SQL, with no code of a contender's. */
    public String expectation() {
        return expectation;
    }

    /** Whether each record is a row that nobody writes again, so that its transaction tells when it came. */
    public boolean appends() {
        return this != TOTALS;
    }

    /** How many records the table stands for. */
    public String countSql() {
        return this == TOTALS
                ? "select coalesce(sum(orders), 0)::bigint from product_total"
                : "select count(*) from " + table;
    }
}
