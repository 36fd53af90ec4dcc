package io.github.tandemstreams.benchmarks.contenders.copyloop;

import io.github.tandemstreams.benchmarks.workloads.Order;
import io.github.tandemstreams.benchmarks.workloads.ProductTotal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/** Adds a batch to the running totals with one statement. */
final class UpsertWriter implements BatchWriter {

    private static final String UPSERT = """
            insert into product_total as total (product, orders, quantity, revenue)
            select * from unnest(?::text[], ?::bigint[], ?::bigint[], ?::numeric[])
            on conflict (product) do update set orders = total.orders + excluded.orders,
                quantity = total.quantity + excluded.quantity, revenue = total.revenue + excluded.revenue
            """;

    private final Connection connection;
    private final PreparedStatement upsert;
    private final ObjectReader reader = new JsonMapper().readerFor(Order.class);

    UpsertWriter(Connection connection) throws SQLException {
        this.connection = connection;
        upsert = connection.prepareStatement(UPSERT);
    }

    @Override
    public void write(ConsumerRecords<byte[], byte[]> records) throws SQLException {
        List<Order> orders = new ArrayList<>(records.count());
        for (ConsumerRecord<byte[], byte[]> each : records) {
            orders.add(reader.readValue(each.value()));
        }
        Collection<ProductTotal> totals = ProductTotal.of(orders);
        setArray(1, "text", totals.stream().map(ProductTotal::product).toArray());
        setArray(2, "bigint", totals.stream().map(ProductTotal::orders).toArray());
        setArray(3, "bigint", totals.stream().map(ProductTotal::quantity).toArray());
        setArray(4, "numeric", totals.stream().map(ProductTotal::revenue).toArray());
        upsert.executeUpdate();
    }

    private void setArray(int parameter, String type, Object[] values) throws SQLException {
        upsert.setArray(parameter, connection.createArrayOf(type, values));
    }
}
