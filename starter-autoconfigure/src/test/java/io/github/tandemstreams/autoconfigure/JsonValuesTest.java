package io.github.tandemstreams.autoconfigure;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonIdentityInfo;
import com.fasterxml.jackson.annotation.ObjectIdGenerators;
import io.github.tandemstreams.source.RawRecord;
import java.math.BigDecimal;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.json.JsonMapper;

/** Whatever came before it, a record is read or refused as it would be by itself. */
class JsonValuesTest {

    private static final int RECORDS = 20_000;

    private static final JsonMapper DEFAULTS = JsonMapper.shared();

    private static final JsonMapper LENIENT = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS, JsonReadFeature.ALLOW_YAML_COMMENTS)
            .build();

    private static final List<ObjectReader> READERS = Stream.of(DEFAULTS, LENIENT)
            .flatMap(mapper -> Stream.of(
                    mapper.readerFor(Order.class),
                    mapper.readerFor(JsonNode.class),
                    mapper.readerFor(Object.class),
                    mapper.readerForMapOf(String.class),
                    mapper.readerFor(String.class),
                    mapper.readerFor(Long.class),
                    mapper.readerFor(Employee.class),
                    mapper.readerFor(First.class)))
            .toList();

    @ParameterizedTest
    @FieldSource("READERS")
    void readsOrRefusesEachRecordAsIfItWereTheOnlyOne(ObjectReader reader) throws Exception {
        List<byte[]> texts = texts();
        SplittableRandom random = new SplittableRandom(1);
        JsonValues values = new JsonValues(reader);
        for (int i = 0; i < RECORDS; i++) {
            byte[] text = texts.get(random.nextInt(texts.size()));

            assertThat(outcome(() -> values.read(record(text), text)))
                    .describedAs("%s: %s", i, new String(text, ISO_8859_1))
                    .isEqualTo(outcome(() -> alone(reader, text)));
        }
    }

    private static Object alone(ObjectReader reader, byte[] text) {
        @Nullable Object read = reader.readValue(text);
        if (read == null) {
            throw new IllegalArgumentException("The value is the JSON literal null");
        }
        return read;
    }

    private static List<byte[]> texts() {
        List<byte[]> texts = new ArrayList<>();
        for (int id = 0; id < 20; id++) {
            add(texts, UTF_8, "{\"id\":" + id + ",\"name\":\"order ä " + id + "\",\"price\":" + id + ".50}");
            add(texts, UTF_8, "{\"" + new UUID(id, id) + "\":\"a name of its own\"}");
        }
        for (String text : List.of(
                "{}",
                "[]",
                "{\"id\":1}\n",
                "  {\"id\":2} \r\n\t ",
                "{\"id\":3} {\"id\":4}",
                "{\"id\":5}{",
                "{\"id\":6} x",
                "{\"id\":7} // a comment",
                "{\"id\":8} # a comment",
                "{\"id\":9} /*",
                "{\"id\":10",
                "{\"id\":10,",
                "{\"id\":",
                "{\"id\":11,\"name\":\"not closed",
                "{\"id\":12,\"name\":\"an escape \\",
                "{\"id\":\"no number\"}",
                "{\"id\":13,\"id\":14}",
                "{\"unknown\":{\"deep\":[1,2,{\"x\":null}]},\"id\":15}",
                "{\"id\":99999999999999999999}",
                "[1",
                "[1,2]",
                "[\"x\"",
                "[\"x\",",
                "]",
                "}",
                "{\"@id\":1,\"name\":\"one\",\"boss\":{\"@id\":2,\"name\":\"two\",\"boss\":1}}",
                "{\"@id\":2,\"name\":\"another two\",\"boss\":null}",
                "{\"@id\":3,\"name\":\"three\",\"boss\":2}",
                "null",
                "true",
                "tru",
                "12",
                "7",
                "-",
                "1.5e3",
                "\"text\"",
                "\"text",
                "\"\"",
                "",
                " ",
                "\n\n",
                "nul\0",
                "{\"id\":16,\"name\":\"" + "long ".repeat(5_000) + "\"}",
                "{\"id\":17,\"name\":\"" + "long ".repeat(5_000),
                "[" + "[".repeat(600) + "]".repeat(600) + "]")) {
            add(texts, UTF_8, text);
        }
        for (Charset charset : List.of(UTF_16, UTF_16LE, ISO_8859_1)) {
            add(texts, charset, "{\"id\":18,\"name\":\"ä\"}");
            add(texts, charset, "12");
        }
        add(texts, UTF_8, "\uFEFF{\"id\":19}");
        add(texts, UTF_8, "\uFEFF{\"id\":20} x");
        add(texts, UTF_8, "\uFEFF{\"id\":20}123");
        add(texts, ISO_8859_1, "{\"id\":21,\"name\":\"cut in a character \u00c3");
        return texts;
    }

    private static void add(List<byte[]> texts, Charset charset, String text) {
        texts.add(text.getBytes(charset));
    }

    private static RawRecord record(byte[] value) {
        return new RawRecord("topic", 0, 0, 0, null, value, List.of());
    }

    private interface Read {
        Object value() throws Exception;
    }

    private static String outcome(Read read) {
        try {
            return "read: " + read.value();
        } catch (Exception refused) {
            return "refused: " + refused;
        }
    }

    private record Order(
            long id,
            @Nullable String name,
            @Nullable BigDecimal price,
            @Nullable Map<String, ?> more) {}

    /** Who was told of in one record isn't known in the next. */
    @JsonIdentityInfo(generator = ObjectIdGenerators.IntSequenceGenerator.class)
    private static final class Employee {
        public @Nullable String name;
        public @Nullable Employee boss;

        @Override
        public String toString() {
            return name + " under " + (boss == null ? "nobody" : boss.name);
        }
    }

    /** What begins as an array is enough for it; it doesn't look for the end. */
    @JsonDeserialize(using = First.Reader.class)
    private record First(String text) {

        static final class Reader extends ValueDeserializer<First> {
            @Override
            public First deserialize(JsonParser parser, DeserializationContext context) {
                parser.nextToken();
                return new First(String.valueOf(parser.getString()));
            }
        }
    }
}
