package io.github.tandemstreams.benchmarks.workloads;

import java.util.Collection;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;

/** Adds orders to the running totals of their products. */
public final class TotalsWriter {

    private static final String UPSERT = """
            insert into product_total as total (product, orders, quantity, revenue) values (?, ?, ?, ?)
            on conflict (product) do update set orders = total.orders + excluded.orders,
                quantity = total.quantity + excluded.quantity, revenue = total.revenue + excluded.revenue
            """;

    private final JdbcTemplate jdbc;

    public TotalsWriter(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** Writes them in the transaction of the caller. */
    public void write(List<Order> orders) {
        Collection<ProductTotal> totals = ProductTotal.of(orders);
        jdbc.batchUpdate(UPSERT, totals, totals.size(), (row, total) -> {
            row.setString(1, total.product());
            row.setLong(2, total.orders());
            row.setLong(3, total.quantity());
            row.setBigDecimal(4, total.revenue());
        });
    }
}
