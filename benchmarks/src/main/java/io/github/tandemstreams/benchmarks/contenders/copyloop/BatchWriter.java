package io.github.tandemstreams.benchmarks.contenders.copyloop;

import io.github.tandemstreams.benchmarks.workloads.Flight;
import io.github.tandemstreams.benchmarks.workloads.Order;
import io.github.tandemstreams.benchmarks.workloads.Workload;
import java.sql.Connection;
import java.sql.SQLException;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/** Writes what was polled, in the connection's transaction. */
interface BatchWriter {

    void write(ConsumerRecords<byte[], byte[]> records) throws SQLException;

    static BatchWriter of(Workload workload, Connection connection) throws SQLException {
        return switch (workload) {
            case ORDERS ->
                new CopyWriter<>(
                        connection,
                        "orders (id, customer, product, quantity, price, at)",
                        Order.class,
                        (order, row) -> row.add(order.id())
                                .add(order.customer())
                                .add(order.product())
                                .add(order.quantity())
                                .add(order.price().toString())
                                .add(order.at().toString()));
            case FLIGHTS ->
                new CopyWriter<>(
                        connection,
                        "flight (date, delay, distance, origin, destination)",
                        Flight.class,
                        (flight, row) -> row.add(flight.date())
                                .add(flight.delay())
                                .add(flight.distance())
                                .add(flight.origin())
                                .add(flight.destination()));
            case TOTALS -> new UpsertWriter(connection);
        };
    }
}
