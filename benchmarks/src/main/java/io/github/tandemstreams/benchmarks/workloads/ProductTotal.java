package io.github.tandemstreams.benchmarks.workloads;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/** What some orders add to a product's running totals. */
public record ProductTotal(String product, long orders, long quantity, BigDecimal revenue) {

    /** One for each product, sorted by it: whoever updates the rows in one order has no deadlocks. */
    public static Collection<ProductTotal> of(List<Order> orders) {
        TreeMap<String, ProductTotal> totals = new TreeMap<>();
        for (Order order : orders) {
            totals.merge(order.product(), of(order), ProductTotal::plus);
        }
        return totals.values();
    }

    private static ProductTotal of(Order order) {
        return new ProductTotal(
                order.product(), 1, order.quantity(), order.price().multiply(BigDecimal.valueOf(order.quantity())));
    }

    private ProductTotal plus(ProductTotal other) {
        return new ProductTotal(product, orders + other.orders, quantity + other.quantity, revenue.add(other.revenue));
    }
}
