package io.github.tandemstreams.benchmarks.pekko;

import io.github.tandemstreams.benchmarks.workloads.Flight;
import io.github.tandemstreams.benchmarks.workloads.Order;
import io.github.tandemstreams.benchmarks.workloads.ProductTotal;
import io.github.tandemstreams.benchmarks.workloads.Workload;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.pekko.projection.jdbc.javadsl.JdbcHandler;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes a group with one batch of a prepared statement.
 *
 * @param <T> what the JSON is
 * @param <R> what a row is made of
 */
final class GroupHandler<T, R> extends JdbcHandler<List<ConsumerRecord<byte[], byte[]>>, PooledSession> {

    private final ObjectReader reader;
    private final String sql;
    private final Function<List<T>, Collection<R>> rows;
    private final Binder<R> binder;

    private GroupHandler(Class<T> type, String sql, Function<List<T>, Collection<R>> rows, Binder<R> binder) {
        reader = new JsonMapper().readerFor(type);
        this.sql = sql;
        this.rows = rows;
        this.binder = binder;
    }

    static GroupHandler<?, ?> of(Workload workload) {
        return switch (workload) {
            case ORDERS ->
                new GroupHandler<Order, Order>(
                        Order.class,
                        "insert into orders (id, customer, product, quantity, price, at) values (?, ?, ?, ?, ?, ?)",
                        orders -> orders,
                        GroupHandler::bind);
            case FLIGHTS ->
                new GroupHandler<Flight, Flight>(
                        Flight.class,
                        "insert into flight (date, delay, distance, origin, destination) values (?, ?, ?, ?, ?)",
                        flights -> flights,
                        GroupHandler::bind);
            case TOTALS ->
                new GroupHandler<Order, ProductTotal>(Order.class, """
                    insert into product_total as total (product, orders, quantity, revenue) values (?, ?, ?, ?)
                    on conflict (product) do update set orders = total.orders + excluded.orders,
                        quantity = total.quantity + excluded.quantity, revenue = total.revenue + excluded.revenue
                    """, ProductTotal::of, GroupHandler::bind);
        };
    }

    @Override
    public void process(PooledSession session, List<ConsumerRecord<byte[], byte[]>> group) throws Exception {
        List<T> values = new ArrayList<>(group.size());
        for (ConsumerRecord<byte[], byte[]> each : group) {
            values.add(reader.readValue(each.value()));
        }
        session.withConnection(connection -> write(connection, rows.apply(values)));
    }

    private int write(Connection connection, Collection<R> all) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (R each : all) {
                binder.bind(statement, each);
                statement.addBatch();
            }
            return statement.executeBatch().length;
        }
    }

    private static void bind(PreparedStatement row, Order order) throws SQLException {
        row.setLong(1, order.id());
        row.setInt(2, order.customer());
        row.setString(3, order.product());
        row.setInt(4, order.quantity());
        row.setBigDecimal(5, order.price());
        row.setTimestamp(6, Timestamp.from(order.at()));
    }

    private static void bind(PreparedStatement row, Flight flight) throws SQLException {
        row.setString(1, flight.date());
        row.setInt(2, flight.delay());
        row.setInt(3, flight.distance());
        row.setString(4, flight.origin());
        row.setString(5, flight.destination());
    }

    private static void bind(PreparedStatement row, ProductTotal total) throws SQLException {
        row.setString(1, total.product());
        row.setLong(2, total.orders());
        row.setLong(3, total.quantity());
        row.setBigDecimal(4, total.revenue());
    }

    private interface Binder<R> {
        void bind(PreparedStatement row, R value) throws SQLException;
    }
}
