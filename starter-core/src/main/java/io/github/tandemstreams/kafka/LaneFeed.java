package io.github.tandemstreams.kafka;

import io.github.tandemstreams.RecordHeader;
import io.github.tandemstreams.source.RawRecord;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.support.Acknowledgment;

/** The container's listener: hands the records of a poll to their lanes. It acknowledges nothing. */
final class LaneFeed implements BatchMessageListener<byte[], byte[]> {

    private final HeldLanes lanes;
    private final Trouble trouble;

    LaneFeed(HeldLanes lanes, Trouble trouble) {
        this.lanes = lanes;
        this.trouble = trouble;
    }

    @Override
    public boolean wantsPollResult() {
        return true;
    }

    @Override
    public void onMessage(
            ConsumerRecords<byte[], byte[]> records,
            @Nullable Acknowledgment unused,
            Consumer<byte[], byte[]> consumer) {
        trouble.over();
        for (TopicPartition partition : records.partitions()) {
            HeldLane lane = lanes.get(partition);
            if (lane != null) {
                lane.accept(raw(records.records(partition)));
            }
        }
    }

    @Override
    public void onMessage(List<ConsumerRecord<byte[], byte[]>> records) {
        throw new UnsupportedOperationException("The container hands over the result of the poll");
    }

    private static List<RawRecord> raw(List<ConsumerRecord<byte[], byte[]>> records) {
        List<RawRecord> raw = new ArrayList<>(records.size());
        for (ConsumerRecord<byte[], byte[]> record : records) {
            raw.add(raw(record));
        }
        return raw;
    }

    private static RawRecord raw(ConsumerRecord<byte[], byte[]> record) {
        return new RawRecord(
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                record.key(),
                record.value(),
                headers(record.headers()));
    }

    private static List<RecordHeader> headers(Headers headers) {
        Iterator<Header> all = headers.iterator();
        if (!all.hasNext()) {
            return List.of();
        }
        List<RecordHeader> copy = new ArrayList<>();
        all.forEachRemaining(header -> copy.add(new RecordHeader(header.key(), header.value())));
        return List.copyOf(copy);
    }
}
