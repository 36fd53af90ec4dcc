package io.github.tandemstreams.jdbc;

import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.RecordHeader;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the tables hold as JSON. A mapper of our own: how the application writes its JSON is none of our business. */
final class Json {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final TypeReference<Map<String, Long>> OFFSETS = new TypeReference<>() {};

    private Json() {}

    static String of(Offsets offsets) {
        return MAPPER.writeValueAsString(offsets.byPartition());
    }

    static Offsets offsets(String json) {
        return Offsets.of(MAPPER.readValue(json, OFFSETS));
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
}
