package io.github.tandemstreams.benchmarks.contenders.tandem;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.Effects;
import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.benchmarks.workloads.Order;
import io.github.tandemstreams.benchmarks.workloads.OrderWriter;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** The same, and it says that all its effects are in the database: its batches needn't be planned ahead. */
@Component
@Profile("orders & effects-database")
class DatabaseOrderHandler {

    private final OrderWriter writer;

    DatabaseOrderHandler(OrderWriter writer) {
        this.writer = writer;
    }

    @ForeachBatch(value = "orders", effects = Effects.DATABASE)
    void write(Batch<Order> orders) {
        writer.write(orders.values());
    }
}
