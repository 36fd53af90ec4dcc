package io.github.tandemstreams.benchmarks.contenders.tandem;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.benchmarks.workloads.Flight;
import io.github.tandemstreams.benchmarks.workloads.Order;
import io.github.tandemstreams.benchmarks.workloads.ProductTotal;
import io.github.tandemstreams.postgres.PostgresWriter;
import javax.sql.DataSource;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** The workloads through the bulk writer: COPY for rows, one statement with arrays for running totals. */
final class BulkHandler {

    private BulkHandler() {}

    @Component
    @Profile("orders & bulk")
    static class Orders {

        private final PostgresWriter<Order> rows;

        Orders(DataSource dataSource) {
            rows = PostgresWriter.copyInto("orders", Order.class).on(dataSource);
        }

        @ForeachBatch("orders")
        void write(Batch<Order> orders) {
            rows.write(orders.values());
        }
    }

    @Component
    @Profile("flights & bulk")
    static class Flights {

        private final PostgresWriter<Flight> rows;

        Flights(DataSource dataSource) {
            rows = PostgresWriter.copyInto("flight", Flight.class).on(dataSource);
        }

        @ForeachBatch("flights")
        void write(Batch<Flight> flights) {
            rows.write(flights.values());
        }
    }

    @Component
    @Profile("totals & bulk")
    static class Totals {

        private final PostgresWriter<ProductTotal> totals;

        Totals(DataSource dataSource) {
            totals = PostgresWriter.upsertInto("product_total", ProductTotal.class)
                    .key("product")
                    .add("orders", "quantity", "revenue")
                    .on(dataSource);
        }

        @ForeachBatch("orders")
        void write(Batch<Order> orders) {
            totals.write(ProductTotal.of(orders.values()));
        }
    }
}
