package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.source.RawRecord;
import java.util.Map;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/** Values as a Kafka deserializer reads them. It sees the headers, as in a consumer. */
final class DeserializedValues implements Values {

    private final Deserializer<?> deserializer;

    DeserializedValues(Deserializer<?> deserializer, Map<String, Object> consumerProperties) {
        this.deserializer = deserializer;
        deserializer.configure(consumerProperties, false);
    }

    @Override
    public Object read(RawRecord record, byte[] value) {
        RecordHeaders headers = new RecordHeaders();
        record.headers().forEach(header -> headers.add(header.name(), header.value()));
        @Nullable Object read = deserializer.deserialize(record.topic(), headers, value);
        if (read == null) {
            // What ErrorHandlingDeserializer returns for a failure. Taken for a tombstone, the record would be lost.
            throw new IllegalArgumentException(
                    "The deserializer returned null for a value of " + value.length + " bytes");
        }
        return read;
    }
}
