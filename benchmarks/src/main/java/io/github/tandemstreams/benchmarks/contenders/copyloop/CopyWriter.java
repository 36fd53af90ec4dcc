package io.github.tandemstreams.benchmarks.contenders.copyloop;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/** Each record a row, through COPY. */
final class CopyWriter<T> implements BatchWriter {

    private final CopyManager copyManager;
    private final String sql;
    private final ObjectReader reader;
    private final BiConsumer<T, CopyRow> columns;
    private final CopyRow row = new CopyRow();

    CopyWriter(Connection connection, String target, Class<T> type, BiConsumer<T, CopyRow> columns)
            throws SQLException {
        copyManager = connection.unwrap(PGConnection.class).getCopyAPI();
        sql = "copy " + target + " from stdin";
        reader = new JsonMapper().readerFor(type);
        this.columns = columns;
    }

    @Override
    public void write(ConsumerRecords<byte[], byte[]> records) throws SQLException {
        for (ConsumerRecord<byte[], byte[]> each : records) {
            columns.accept(reader.readValue(each.value()), row);
            row.end();
        }
        byte[] rows = row.take().getBytes(StandardCharsets.UTF_8);
        CopyIn copy = copyManager.copyIn(sql);
        try {
            copy.writeToCopy(rows, 0, rows.length);
            copy.endCopy();
        } finally {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }
}
