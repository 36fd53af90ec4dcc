package io.github.tandemstreams.benchmarks.contenders.tandem;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.benchmarks.workloads.Order;
import io.github.tandemstreams.benchmarks.workloads.OrderWriter;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** What the listener does, as a handler. */
@Component
@Profile("orders & !effects-database & !bulk")
class OrderHandler {

    private final OrderWriter writer;

    OrderHandler(OrderWriter writer) {
        this.writer = writer;
    }

    @ForeachBatch("orders")
    void write(Batch<Order> orders) {
        writer.write(orders.values());
    }
}
