package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.StreamRecord;
import io.github.tandemstreams.source.Decoder;
import io.github.tandemstreams.source.RawRecord;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanInstantiationException;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.ResolvableType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/** Chooses how values are read: by the deserializer that is configured, else as the handler's signature says. */
final class ValueReaders {

    private final ObjectProvider<JsonMapper> mapper;

    ValueReaders(ObjectProvider<JsonMapper> mapper) {
        this.mapper = mapper;
    }

    /** A supplier of decoders. Each has a deserializer of its own, which need not be safe for use by several threads. */
    Supplier<Decoder<@Nullable Object>> of(
            Handler handler,
            HandlerSignature signature,
            @Nullable Class<?> deserializer,
            Map<String, Object> consumerProperties) {
        Supplier<Values> values = values(handler, signature.value(), deserializer, consumerProperties);
        return signature.takesRecords()
                ? () -> withRecord(values.get().decoder())
                : () -> values.get().decoder();
    }

    private Supplier<Values> values(
            Handler handler, Type type, @Nullable Class<?> deserializer, Map<String, Object> consumerProperties) {
        if (deserializer != null) {
            requireReads(handler, deserializer, type);
            return () -> new DeserializedValues(instance(deserializer), consumerProperties);
        }
        return values(type);
    }

    private Supplier<Values> values(Type type) {
        if (type == byte[].class) {
            return Values::bytes;
        }
        if (type == String.class) {
            return Values::text;
        }
        JsonMapper json = QuickJson.in(mapper.getIfAvailable(JsonMapper::shared));
        ObjectReader reader = json.readerFor(json.constructType(type));
        return () -> new JsonValues(reader);
    }

    private static void requireReads(Handler handler, Class<?> deserializer, Type type) {
        if (!Deserializer.class.isAssignableFrom(deserializer)) {
            throw HandlerMistakes.noDeserializer(handler.stream(), deserializer, null);
        }
        Class<?> reads = ResolvableType.forClass(Deserializer.class, deserializer)
                .getGeneric(0)
                .resolve();
        if (reads != null
                && !ValueTypes.raw(type).isAssignableFrom(reads)
                && !reads.isAssignableFrom(ValueTypes.raw(type))) {
            throw HandlerMistakes.otherValues(handler, deserializer, reads, ValueTypes.raw(type));
        }
        try {
            instance(deserializer);
        } catch (BeanInstantiationException failure) {
            throw HandlerMistakes.noDeserializer(handler.stream(), deserializer, failure);
        }
    }

    private static Deserializer<?> instance(Class<?> deserializer) {
        return (Deserializer<?>) BeanUtils.instantiateClass(deserializer);
    }

    private static Decoder<@Nullable Object> withRecord(Decoder<@Nullable Object> values) {
        return record -> record(record, values.decode(record));
    }

    @SuppressWarnings("NullAway") // it doesn't look into type arguments, nor at arrays of another module
    private static StreamRecord<@Nullable Object> record(RawRecord record, @Nullable Object value) {
        return new StreamRecord<>(
                value,
                record.key(),
                Instant.ofEpochMilli(record.timestamp()),
                record.headers(),
                record.topic(),
                record.partition(),
                record.offset());
    }
}
