package io.github.tandemstreams.benchmarks.contenders.tandem;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.benchmarks.workloads.Order;
import io.github.tandemstreams.benchmarks.workloads.TotalsWriter;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** What the listener does, as a handler. */
@Component
@Profile("totals & !bulk")
class TotalsHandler {

    private final TotalsWriter writer;

    TotalsHandler(TotalsWriter writer) {
        this.writer = writer;
    }

    @ForeachBatch("orders")
    void write(Batch<Order> orders) {
        writer.write(orders.values());
    }
}
