package io.github.tandemstreams.benchmarks.contenders.springkafka;

import io.github.tandemstreams.benchmarks.contenders.Finish;
import io.github.tandemstreams.benchmarks.workloads.Order;
import io.github.tandemstreams.benchmarks.workloads.TotalsWriter;
import java.util.List;
import org.springframework.context.annotation.Profile;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** A poll's records in one transaction. */
@Component
@Profile("totals")
class TotalsListener {

    private final TotalsWriter writer;
    private final Finish finish;

    TotalsListener(TotalsWriter writer, Finish finish) {
        this.writer = writer;
        this.finish = finish;
    }

    @KafkaListener(topics = "${benchmark.topic}")
    @Transactional
    public void write(List<Order> orders) {
        writer.write(orders);
        finish.add(orders.size());
    }
}
