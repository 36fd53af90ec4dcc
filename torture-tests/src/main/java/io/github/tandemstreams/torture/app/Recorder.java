package io.github.tandemstreams.torture.app;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.StreamRecord;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * The handler. It inserts a row for each record, without any constraint that would stop a second one, and carries on a
 * running chain for each partition, which depends on every record before and on their order.
 */
@Component
class Recorder {

    private static final String INSERT = """
            insert into seen (topic, part, off, key, val, batch_id, instance) values (?, ?, ?, ?, ?, ?, ?)
            """;

    private static final String CHAIN = """
            select n, chain from running where topic = ? and part = ? for update
            """;

    private static final String CARRY_ON = """
            insert into running (topic, part, n, chain) values (?, ?, ?, ?)
                on conflict (topic, part) do update set n = excluded.n, chain = excluded.chain
            """;

    private final JdbcTemplate jdbc;
    private final String instance;

    Recorder(JdbcTemplate jdbc, @Value("${torture.instance}") String instance) {
        this.jdbc = jdbc;
        this.instance = instance;
    }

    @ForeachBatch("torture")
    void record(Batch<@Nullable Event> batch) throws InterruptedException {
        List<StreamRecord<@Nullable Event>> records = batch.records();
        if (records.isEmpty()) {
            return;
        }
        jdbc.execute("set local lock_timeout = '2s'");
        jdbc.batchUpdate(INSERT, records, records.size(), (row, record) -> {
            Event event = record.value();
            row.setString(1, record.topic());
            row.setInt(2, record.partition());
            row.setLong(3, record.offset());
            row.setString(4, record.keyAsString());
            row.setString(5, event == null ? null : event.seen());
            row.setLong(6, batch.id());
            row.setString(7, instance);
        });
        bear(records);
        carryOn(records);
    }

    private static void bear(List<StreamRecord<@Nullable Event>> records) throws InterruptedException {
        for (StreamRecord<@Nullable Event> record : records) {
            Event event = record.value();
            if (event != null) {
                Thread.sleep(event.pause());
                if (event.id().startsWith("bad-")) {
                    throw new IllegalArgumentException("The handler can't bear " + event.id());
                }
            }
        }
    }

    private void carryOn(List<StreamRecord<@Nullable Event>> records) {
        String topic = records.get(0).topic();
        int partition = records.get(0).partition();
        Chain chain =
                jdbc
                        .query(CHAIN, (row, number) -> new Chain(row.getLong(1), row.getString(2)), topic, partition)
                        .stream()
                        .findFirst()
                        .orElse(Chain.START);
        for (StreamRecord<@Nullable Event> record : records) {
            chain = chain.with(record.offset(), Objects.requireNonNull(record.keyAsString()));
        }
        jdbc.update(CARRY_ON, topic, partition, chain.length(), chain.hash());
    }
}
