package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.ext.javatime.deser.InstantDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** Whatever an instant looks like, it is read as Jackson reads it. */
class QuickInstantsTest {

    private static final JsonMapper JACKSON = JsonMapper.shared();
    private static final JsonMapper QUICK = QuickJson.in(JACKSON);

    @Test
    void readsAnyInstantAsJacksonDoes() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 10_000; i++) {
            Instant instant = Instant.ofEpochSecond(
                    random.nextLong(-62_167_219_200L, 253_402_300_800L), random.nextInt(1_000_000_000));
            assertThat(QuickInstants.parse(instant.toString())).isEqualTo(instant);
            assertThat(QUICK.readValue('"' + instant.toString() + '"', Instant.class))
                    .isEqualTo(instant);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-31T10:15:30Z",
                "2026-01-31T10:15:30.1Z",
                "2026-01-31T10:15:30.012Z",
                "2026-01-31T10:15:30.000001Z",
                "2026-01-31T10:15:30.999999999Z",
                "2024-02-29T00:00:00Z",
                "0000-01-01T00:00:00Z",
                "2016-12-31T23:59:60Z",
                "2026-01-31T24:00:00Z",
                "2026-01-31t10:15:30z",
                "+12026-01-31T10:15:30Z",
                "-0001-01-31T10:15:30Z",
                "2026-01-31T10:15:30+02:00",
                "2026-01-31T10:15:30.5+0200",
                " 2026-01-31T10:15:30Z ",
                "1769854530",
                "1769854530.123",
                "",
                "2025-02-29T00:00:00Z",
                "2026-00-31T10:15:30Z",
                "2026-01-31T10:60:30Z",
                "2026-01-31T25:00:00Z",
                "2026-01-31T10:15:61Z",
                "2026-01-31T10:15:3/Z",
                "2026-01-31T10:15:30.0000000001Z",
                "2026-01-31 10:15:30Z",
                "2026-01-31T10:15:30x1Z",
                "2026-01-31T10:15:30",
                "٢٠٢٦-01-31T10:15:30Z",
                "now",
            })
    void readsOrRefusesAnyOtherTextAsJacksonDoes(String text) {
        String json = '"' + text + '"';
        assertThat(outcome(QUICK, json)).isEqualTo(outcome(JACKSON, json));
    }

    @Test
    void readsNumbersNullsAndFormatsAsJacksonDoes() {
        for (String json : List.of("1769854530", "1769854530.123456789", "null")) {
            assertThat(QUICK.readValue(json, Instant.class)).isEqualTo(JACKSON.readValue(json, Instant.class));
        }
        String formatted = "{\"at\": \"31.01.2026 10:15\"}";
        assertThat(QUICK.readValue(formatted, Formatted.class))
                .isEqualTo(JACKSON.readValue(formatted, Formatted.class));
    }

    @Test
    void keepsToWhatTheApplicationHasSetUp() {
        JsonMapper millis = JsonMapper.builder()
                .enable(DateTimeFeature.TRUNCATE_TO_MSECS_ON_READ)
                .build();
        assertThat(QuickJson.in(millis).readValue("\"2026-01-31T10:15:30.123456Z\"", Instant.class))
                .isEqualTo(Instant.parse("2026-01-31T10:15:30.123Z"));

        JsonMapper own = JsonMapper.builder()
                .addModule(new SimpleModule().addDeserializer(Instant.class, new Always()))
                .build();
        assertThat(QuickJson.in(own).readValue("\"2026-01-31T10:15:30Z\"", Instant.class))
                .isEqualTo(Instant.MAX);

        JsonMapper modified = JsonMapper.builder()
                .addModule(new SimpleModule().setDeserializerModifier(new Modifier()))
                .build();
        assertThat(QuickJson.in(modified).readValue("\"2026-01-31T10:15:30Z\"", Instant.class))
                .isEqualTo(Instant.MAX);
    }

    private static @Nullable Object outcome(JsonMapper mapper, String json) {
        try {
            return mapper.readValue(json, Instant.class);
        } catch (JacksonException refused) {
            return refused.getOriginalMessage();
        }
    }

    private record Formatted(
            @JsonFormat(pattern = "dd.MM.yyyy HH:mm", timezone = "Europe/Berlin")
            Instant at) {}

    /** It looks for the very deserializer that Jackson has. */
    private static final class Modifier extends ValueDeserializerModifier {

        private static final long serialVersionUID = 1;

        @Override
        public ValueDeserializer<?> modifyDeserializer(
                DeserializationConfig config, BeanDescription.Supplier type, ValueDeserializer<?> deserializer) {
            return deserializer == InstantDeserializer.INSTANT ? new Always() : deserializer;
        }
    }

    private static final class Always extends ValueDeserializer<Instant> {

        @Override
        public Instant deserialize(JsonParser parser, DeserializationContext context) {
            return Instant.MAX;
        }
    }
}
