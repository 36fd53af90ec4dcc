package io.github.tandemstreams.dashboard;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.StreamRecord;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A handler that writes a row for each record that it is given, and takes no record that begins with "bad". */
class Orders {

    private final JdbcClient jdbc;
    private volatile boolean repaired;

    Orders(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Whether it takes bad records as well from now on. */
    void repair(boolean now) {
        repaired = now;
    }

    @ForeachBatch("orders")
    void record(Batch<byte[]> batch) {
        for (StreamRecord<byte[]> order : batch.records()) {
            String value = new String(order.value(), java.nio.charset.StandardCharsets.UTF_8);
            if (value.startsWith("bad") && !repaired) {
                throw new IllegalArgumentException("This is no order: " + value);
            }
            jdbc.sql("insert into orders (partition, record_offset) values (?, ?)")
                    .params(order.partition(), order.offset())
                    .update();
        }
    }
}
