package io.github.tandemstreams.jdbc;

import io.github.tandemstreams.CommandRecord.LaneEffect;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StreamCommand.Letters;
import io.github.tandemstreams.StreamCommand.Target;
import io.github.tandemstreams.StreamCommand.ToBatch;
import io.github.tandemstreams.StreamCommand.ToOffsets;
import io.github.tandemstreams.StreamCommand.ToTimestamp;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Targets and results of commands, as their columns hold them. */
final class CommandJson {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private CommandJson() {}

    /**
     * What a command did.
     *
     * @param lanes its effects on lanes
     * @param deadLetters dead letters that it concerned
     */
    record Result(List<LaneEffect> lanes, long deadLetters) {}

    static String of(Target target) {
        ObjectNode json = MAPPER.createObjectNode();
        if (target instanceof ToBatch to) {
            json.put("batch", to.batch());
        } else if (target instanceof ToTimestamp to) {
            json.put("timestamp", of(to.timestamp()));
        } else if (target instanceof ToOffsets to) {
            ObjectNode offsets = json.putObject("offsets");
            to.offsets().byPartition().forEach((partition, offset) -> offsets.put(partition, offset));
        } else if (target instanceof Letters which) {
            letters(which, json.putObject("letters"));
        }
        return MAPPER.writeValueAsString(json);
    }

    private static void letters(Letters which, ObjectNode letters) {
        if (!which.ids().isEmpty()) {
            ArrayNode ids = letters.putArray("ids");
            which.ids().stream().sorted().forEach(id -> ids.add(id));
        }
        if (which.causeClass() != null) {
            letters.put("cause_class", which.causeClass());
        }
        if (which.parkedBefore() != null) {
            letters.put("parked_before", of(which.parkedBefore()));
        }
    }

    /** Postgres would round what is finer, up as well. */
    private static String of(Instant time) {
        return time.truncatedTo(ChronoUnit.MICROS).toString();
    }

    static Target target(String text) {
        JsonNode json = MAPPER.readTree(text);
        if (json.has("batch")) {
            return new ToBatch(json.get("batch").longValue());
        }
        if (json.has("timestamp")) {
            return new ToTimestamp(Instant.parse(json.get("timestamp").asString()));
        }
        if (json.has("offsets")) {
            return new ToOffsets(offsets(json.get("offsets")));
        }
        JsonNode letters = json.get("letters");
        Set<Long> ids = new HashSet<>();
        letters.path("ids").forEach(id -> ids.add(id.longValue()));
        return new Letters(
                ids,
                text(letters, "cause_class"),
                Optional.ofNullable(text(letters, "parked_before"))
                        .map(Instant::parse)
                        .orElse(null));
    }

    static Result result(@Nullable String text) {
        if (text == null) {
            return new Result(List.of(), 0);
        }
        JsonNode json = MAPPER.readTree(text);
        List<LaneEffect> lanes = new ArrayList<>();
        for (JsonNode lane : json.get("lanes")) {
            JsonNode burnt = lane.get("burnt");
            lanes.add(new LaneEffect(
                    lane.get("lane").asString(),
                    offsets(lane.get("from")),
                    offsets(lane.get("to")),
                    lane.get("batches").longValue(),
                    lane.get("records").longValue(),
                    lane.get("unknown").longValue(),
                    lane.get("dead_letters").longValue(),
                    burnt.isNull() ? null : burnt.longValue()));
        }
        return new Result(lanes, json.get("dead_letters").longValue());
    }

    private static Offsets offsets(JsonNode json) {
        return Json.offsets(json.toString());
    }

    private static @Nullable String text(JsonNode object, String field) {
        JsonNode value = object.get(field);
        return value == null || value.isNull() ? null : value.asString();
    }
}
