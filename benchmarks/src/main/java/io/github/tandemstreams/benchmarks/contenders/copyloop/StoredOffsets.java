package io.github.tandemstreams.benchmarks.contenders.copyloop;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Where each partition stands, in the database. */
final class StoredOffsets {

    static final String DDL =
            "create table if not exists stored_offset (topic text, partition int, next_offset bigint not null,"
                    + " primary key (topic, partition))";

    private static final String SELECT = "select next_offset from stored_offset where topic = ? and partition = ?";
    private static final String STORE = """
            insert into stored_offset values (?, ?, ?)
            on conflict (topic, partition) do update set next_offset = excluded.next_offset
            """;

    private final Connection connection;
    private final PreparedStatement store;

    StoredOffsets(Connection connection) throws SQLException {
        this.connection = connection;
        store = connection.prepareStatement(STORE);
    }

    long next(TopicPartition partition) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(SELECT)) {
            select.setString(1, partition.topic());
            select.setInt(2, partition.partition());
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        }
    }

    void store(Map<TopicPartition, OffsetAndMetadata> next) throws SQLException {
        for (Map.Entry<TopicPartition, OffsetAndMetadata> each : next.entrySet()) {
            store.setString(1, each.getKey().topic());
            store.setInt(2, each.getKey().partition());
            store.setLong(3, each.getValue().offset());
            store.addBatch();
        }
        store.executeBatch();
    }
}
