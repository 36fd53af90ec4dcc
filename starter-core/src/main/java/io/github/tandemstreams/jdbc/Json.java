package io.github.tandemstreams.jdbc;

import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.RecordHeader;
import io.github.tandemstreams.checkpoint.Search;
import io.github.tandemstreams.checkpoint.Verdict;
import io.github.tandemstreams.checkpoint.Verdict.Guilty;
import io.github.tandemstreams.sink.Cause;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the tables hold as JSON. A mapper of our own: how the application writes its JSON is none of our business. */
final class Json {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final TypeReference<Map<String, Long>> OFFSETS = new TypeReference<>() {};

    private static final TypeReference<Map<String, String>> SETTINGS = new TypeReference<>() {};

    private Json() {}

    static String of(Offsets offsets) {
        return MAPPER.writeValueAsString(offsets.byPartition());
    }

    static Offsets offsets(String json) {
        return Offsets.of(MAPPER.readValue(json, OFFSETS));
    }

    static String of(Map<String, String> settings) {
        return MAPPER.writeValueAsString(settings);
    }

    static Map<String, String> settings(String json) {
        return MAPPER.readValue(json, SETTINGS);
    }

    /** Offsets and causes of guilty records. */
    static String of(Verdict verdict) {
        return MAPPER.writeValueAsString(new Verdict(storable(verdict.guilty()), verdict.named()));
    }

    static Verdict verdict(String json) {
        return MAPPER.readValue(json, Verdict.class);
    }

    static String of(Search search) {
        return MAPPER.writeValueAsString(new Search(
                storable(search.guilty()),
                search.passed(),
                search.failed(),
                search.trial(),
                search.judge(),
                search.deaths(),
                search.stepwise()));
    }

    static Search search(String json) {
        return MAPPER.readValue(json, Search.class);
    }

    private static List<Guilty> storable(List<Guilty> guilty) {
        return guilty.stream()
                .map(record -> new Guilty(record.partition(), record.offset(), storable(record.cause())))
                .toList();
    }

    private static Cause storable(Cause cause) {
        return new Cause(cause.type(), storable(cause.message()), storable(cause.stackTrace()));
    }

    /** Text that Postgres can hold: it knows no NUL. */
    static @Nullable String storable(@Nullable String text) {
        return text == null ? null : text.replace('\0', '\uFFFD');
    }

    /** Headers in their order, as {@code [{"name": …, "value": base64 or null}]}. */
    static String of(List<RecordHeader> headers) {
        ArrayNode array = MAPPER.createArrayNode();
        for (RecordHeader header : headers) {
            byte[] value = header.value();
            ObjectNode node = array.addObject().put("name", header.name());
            if (value == null) {
                node.putNull("value");
            } else {
                node.put("value", Base64.getEncoder().encodeToString(value));
            }
        }
        return MAPPER.writeValueAsString(array);
    }

    static List<RecordHeader> headers(String json) {
        List<RecordHeader> headers = new ArrayList<>();
        for (JsonNode header : MAPPER.readTree(json)) {
            JsonNode value = header.get("value");
            headers.add(new RecordHeader(
                    header.get("name").asString(),
                    value.isNull() ? null : Base64.getDecoder().decode(value.asString())));
        }
        return headers;
    }
}
