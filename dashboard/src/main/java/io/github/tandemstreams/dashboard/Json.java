package io.github.tandemstreams.dashboard;

import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.Offsets;
import java.time.Duration;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * JSON of the page's interface, always the same: the application's own mapper may name and format things as it likes.
 * Instants are ISO texts, durations milliseconds, offsets objects as in Postgres.
 */
final class Json {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .addModule(new SimpleModule()
                    .addSerializer(new OffsetsAsObject())
                    .addSerializer(new RangeAsObject())
                    .addSerializer(new DurationAsMilliseconds()))
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private Json() {}

    static byte[] write(Object value) {
        return MAPPER.writeValueAsBytes(value);
    }

    static JsonNode read(byte[] json) {
        try {
            return MAPPER.readTree(json);
        } catch (JacksonException malformed) {
            throw new RefusedException(400, "The body is no JSON: " + malformed.getOriginalMessage());
        }
    }

    private static final class OffsetsAsObject extends StdSerializer<Offsets> {

        OffsetsAsObject() {
            super(Offsets.class);
        }

        @Override
        public void serialize(Offsets offsets, JsonGenerator generator, SerializationContext context) {
            generator.writePOJO(offsets.byPartition());
        }
    }

    private static final class RangeAsObject extends StdSerializer<OffsetRange> {

        RangeAsObject() {
            super(OffsetRange.class);
        }

        @Override
        public void serialize(OffsetRange range, JsonGenerator generator, SerializationContext context) {
            generator.writeStartObject();
            generator.writePOJOProperty("starts", range.starts().byPartition());
            generator.writePOJOProperty("ends", range.ends().byPartition());
            generator.writeEndObject();
        }
    }

    private static final class DurationAsMilliseconds extends StdSerializer<Duration> {

        DurationAsMilliseconds() {
            super(Duration.class);
        }

        @Override
        public void serialize(Duration duration, JsonGenerator generator, SerializationContext context) {
            generator.writeNumber(Durations.milliseconds(duration));
        }
    }
}
