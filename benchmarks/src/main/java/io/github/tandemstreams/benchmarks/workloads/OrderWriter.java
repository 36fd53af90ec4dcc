package io.github.tandemstreams.benchmarks.workloads;

import java.sql.Timestamp;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;

/** Each order a row. */
public final class OrderWriter {

    private static final String INSERT =
            "insert into orders (id, customer, product, quantity, price, at) values (?, ?, ?, ?, ?, ?)";

    private final JdbcTemplate jdbc;

    public OrderWriter(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** Writes them in the transaction of the caller. */
    public void write(List<Order> orders) {
        jdbc.batchUpdate(INSERT, orders, orders.size(), (row, order) -> {
            row.setLong(1, order.id());
            row.setInt(2, order.customer());
            row.setString(3, order.product());
            row.setInt(4, order.quantity());
            row.setBigDecimal(5, order.price());
            row.setTimestamp(6, Timestamp.from(order.at()));
        });
    }
}
